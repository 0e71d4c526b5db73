/**
 * Schemas of a document as named components: each entity stands there once, under the name that
 * its declaration gives it, or else one made of where it stands. Generators make types of them.
 */
import type { Json } from './schemas.ts'

export class Components {
  readonly schemas: Record<string, Json> = {}
  readonly responses: Record<string, Json> = {}
  private readonly nameByText = new Map<string, string>()

  /**
   * A schema with a reference wherever an entity stands in it, itself included.
   * @param place a name for it when it has none: `TickersAnswer`
   */
  refer(schema: Json, place: string): Json {
    if (typeof schema.$ref === 'string') return schema
    const entity = isEntity(schema)
    const name = entity && typeof schema.title === 'string' ? schema.title : place
    const inner = mapSchemas(schema, (part, suffix) => this.refer(part, name + suffix))
    return entity ? { $ref: `#/components/schemas/${this.add(inner, place)}` } : inner
  }

  /** Gives a schema a name that others refer to already. */
  define(name: string, schema: Json): void {
    const reference = this.refer(schema, name)
    if (!(name in this.schemas)) this.schemas[name] = reference
  }

  /** A response that many operations give, as a reference. */
  share(name: string, response: Json): Json {
    const text = JSON.stringify(response)
    let free = name
    for (let number = 2; (this.responses[free] ?? response) !== response; number++) {
      if (JSON.stringify(this.responses[free]) === text) break
      free = `${name}${number}`
    }
    this.responses[free] ??= response
    return { $ref: `#/components/responses/${free}` }
  }

  private add({ title, ...shape }: Json, place: string): string {
    const text = JSON.stringify(shape)
    const known = this.nameByText.get(`${title ?? ''} ${text}`) ?? this.nameByText.get(text)
    if (known && (title === undefined || title === known)) return known
    const name = this.freeName(typeof title === 'string' ? title : place, place)
    this.schemas[name] = { title: name, ...shape }
    this.nameByText.set(`${title ?? ''} ${text}`, name)
    if (!this.nameByText.has(text)) this.nameByText.set(text, name)
    return name
  }

  /** What is asked for and what is answered may differ a little under one name. */
  private freeName(name: string, place: string): string {
    if (!(name in this.schemas)) return name
    if (!(place in this.schemas)) return place
    let number = 2
    while (`${place}${number}` in this.schemas) number++
    return `${place}${number}`
  }
}

/** `fillsOfAddress` as `FillsOfAddress`, `data_map` as `DataMap`. */
export const typeName = (name: string): string =>
  name.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** What deserves a name: an object, and whatever its declaration calls by one. */
const isEntity = ({ type, properties, title }: Json): boolean =>
  (type === 'object' && properties !== undefined) || typeof title === 'string'

type MapPart = (part: Json, suffix: string) => Json

/** A schema with each schema that stands directly in it mapped. */
function mapSchemas(schema: Json, map: MapPart): Json {
  const mapped: Json = { ...schema }
  for (const list of ['anyOf', 'oneOf', 'allOf', 'prefixItems'] as const)
    if (Array.isArray(schema[list])) mapped[list] = mapList(schema[list] as Json[], list, map)
  if (Array.isArray(schema.items)) mapped.items = mapList(schema.items, 'prefixItems', map)
  else if (isSchema(schema.items)) mapped.items = map(schema.items, 'Item')
  if (isSchema(schema.additionalProperties))
    mapped.additionalProperties = map(schema.additionalProperties, 'Value')
  for (const group of ['properties', 'patternProperties'] as const)
    if (isSchema(schema[group])) mapped[group] = mapFields(schema[group], group, map)
  return mapped
}

function mapList(list: readonly Json[], kind: string, map: MapPart): Json[] {
  const numbered = kind === 'prefixItems' || list.filter(({ type }) => type !== 'null').length > 1
  return list.map((part, index) => map(part, numbered ? String(index + 1) : ''))
}

function mapFields(fields: Json, group: string, map: MapPart): Json {
  return Object.fromEntries(
    Object.entries(fields).map(([name, part]) => [
      name,
      map(part as Json, group === 'properties' ? typeName(name) : 'Value'),
    ]),
  )
}

const isSchema = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
