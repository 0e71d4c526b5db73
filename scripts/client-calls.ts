/** The client's calls and types, generated from the contract. */
import type { Channel } from '../src/contract/channel.ts'
import { STREAMS } from '../src/contract/channels.ts'
import { VENUE_INFO_TYPES } from '../src/contract/info/index.ts'
import type { Operation } from '../src/contract/operation.ts'
import { CONTRACT } from '../src/contract/operations.ts'
import type { TObject, TSchema } from '../src/contract/schema.ts'
import { checkedSchema } from './checked-schemas.ts'
import {
  inputsOf,
  methodText,
  recordText,
  titledShapes,
  unreadSchema,
  withoutFields,
} from './client-types.ts'
import { docLines, typeText, wrapped } from './schema-types.ts'

const FOLDER = 'src/clients/service/contract'
const GROUPS = Object.entries(CONTRACT) as [string, Record<string, Operation>][]
const CHANNELS = Object.entries(STREAMS as Record<string, Channel>)
const SHAPES = titledShapes([
  ...GROUPS.flatMap(([, operations]) => Object.values(operations).flatMap(inputsOf)),
  ...GROUPS.flatMap(([, operations]) => Object.values(operations).map(({ data }) => data)),
  ...CHANNELS.map(([, { data }]) => data),
  ...VENUE_INFO_TYPES.map(({ data }) => data),
])

/** The files of `src/clients/service/contract`, by path. */
export function clientFiles(): ReadonlyMap<string, string> {
  return new Map([
    [`${FOLDER}/records.ts`, file('Records of requests, answers and pushes', recordsText())],
    [`${FOLDER}/info.ts`, file('The types of `perpdex.info`', infoText())],
    [`${FOLDER}/channels.ts`, file('The channels', channelsText())],
    [`${FOLDER}/history-calls.ts`, file('Requests of a stream after a gap', historyCallsText())],
    ...GROUPS.map(([group, operations]): [string, string] => [
      `${FOLDER}/${group}.ts`,
      file(`The operations of the group \`${group}\``, groupText(group, operations)),
    ]),
    ...GROUPS.map(([group, operations]): [string, string] => [
      `${FOLDER}/schemas/${group}.json`,
      schemasText(Object.entries(operations).map(([name, one]) => [name, answerSchema(one)])),
    ]),
    [
      `${FOLDER}/schemas/info.json`,
      schemasText(VENUE_INFO_TYPES.map(({ type, data }) => [type, data])),
    ],
    [
      `${FOLDER}/schemas/channels.json`,
      schemasText(CHANNELS.map(([name, { data }]) => [name, data])),
    ],
  ])
}

const file = (about: string, text: string) =>
  `/** ${about}. Written by \`bun run generate\`. */
// biome-ignore-all format: as it is generated
// biome-ignore-all assist/source/organizeImports: as it is generated
${wrapped(text)}`

const recordsText = () => `\n${SHAPES.map((shape) => recordText(shape, SHAPES)).join('\n')}`

/** Import statement of the records that a text uses. */
function importOf(text: string, from = './records.ts'): string {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|'[^']*'/g, '')
  const used = SHAPES.filter(({ name }) => new RegExp(`\\b${name}\\b`).test(code))
  if (used.length === 0) return ''
  return `import type {\n${used.map(({ name }) => `  ${name},\n`).join('')}} from '${from}'\n`
}

function infoText(): string {
  const entries = VENUE_INFO_TYPES.map(({ type, title, profile, request, data }) => {
    const only = profile === undefined ? '' : ' Answered by the venue itself only.'
    return (
      docLines(`${title}.${only}`, '  ') +
      `  ${type}: {\n    request: ${requestText(request)}\n` +
      `    answer: ${typeText(data, SHAPES, '    ')}\n  }\n`
    )
  }).join('')
  return `import type { NoInput } from '../requests/request.ts'
${importOf(entries)}
/** What each \`type\` takes besides and what it answers. */
export interface InfoTypes {
${entries}}

export type InfoTypeName = keyof InfoTypes

/** The body of one type. */
export type InfoRequest<T extends InfoTypeName> = { type: T } & InfoTypes[T]['request']

/** What one type answers. */
export type InfoAnswer<T extends InfoTypeName> = InfoTypes[T]['answer']
`
}

const requestText = (request: TObject) =>
  Object.keys(request.properties).length === 0
    ? 'NoInput'
    : typeText(unreadSchema(request), SHAPES, '    ')

function groupText(group: string, operations: Record<string, Operation>): string {
  const methods = Object.entries(operations).map(([name, one]) => methodText(name, one, SHAPES))
  const body = methods.join('')
  const inputs = body.includes('NoInput') ? ['NoInput'] : []
  const types = ['CallGroup', 'CallOptions', ...inputs].join(', ')
  const table = Object.entries(operations).map(
    ([name, operation]) => `  ${name}: ${operationText(operation)},\n`,
  )
  const interfaceName = `${group.charAt(0).toUpperCase()}${group.slice(1)}Calls`
  const info = body.includes('InfoTypeName')
    ? "import type { InfoAnswer, InfoRequest, InfoTypeName } from './info.ts'\n"
    : ''
  return `import type { ${types} } from '../requests/request.ts'
${info}${importOf(body)}
/** Requests of \`${group}\`. */
export interface ${interfaceName} {
${methods.join('\n')}}

/** How to ask for it. */
export const ${group}: CallGroup<${interfaceName}> = {
${table.join('')}}
`
}

function operationText({ method, path, params, envelope, changes }: Operation): string {
  const batch = (params.body as TObject | undefined)?.properties?.addresses?.['x-cut']
  const words = [
    method,
    path,
    ...(params.body === undefined ? [] : ['body']),
    ...(envelope.kind === 'bare' ? ['bare'] : []),
    ...(changes ? ['changes'] : []),
    ...(batch === undefined ? [] : [`addresses=${batch}`]),
  ]
  return `'${words.join(' ')}'`
}

function historyCallsText(): string {
  const { info, klinesWithTakerVol } = CONTRACT.perpdex
  const calls = [info, klinesWithTakerVol].map(
    (one) => `  ${one.id.split('.')[1]}: operationCall('${one.id}', ${operationText(one)}),\n`,
  )
  return `import { operationCall } from '../requests/request.ts'

export const HISTORY_CALLS = {
${calls.join('')}}
`
}

function channelsText(): string {
  const types = CHANNELS.map(([name, { title, about, subscription, data }]) => {
    const wanted = optionalDex(withoutFields(subscription, ['type']))
    return (
      docLines(`${title}.${about === undefined ? '' : ` ${about}`}`, '  ') +
      `  ${name}: {\n    subscription: ${typeText(wanted, SHAPES, '    ')}\n` +
      `    data: ${typeText(data, SHAPES, '    ')}\n  }\n`
    )
  }).join('')
  const table = CHANNELS.map(([name, channel]) => `  ${name}: ${channelText(channel)},\n`)
  return `${importOf(types)}
/** Parameters and pushes of each channel. */
export interface ChannelTypes {
${types}}

export type ChannelName = keyof ChannelTypes

/** Each in a line: its path, its key, whether it is counted and pushes states. */
export const CHANNEL_LINES: { readonly [N in ChannelName]: string } = {
${table.join('')}}
`
}

/** Makes a dex optional: the default is the main one. */
const optionalDex = (schema: TSchema): TSchema => ({
  ...schema,
  required: ((schema.required ?? []) as string[]).filter((name) => name !== 'dex'),
})

function channelText({ dialect, counted, key, pushPolicy }: Channel): string {
  const words = [
    dialect.path,
    key.join(','),
    ...(counted ? ['counted'] : []),
    ...(pushPolicy.stateOf === undefined ? [] : ['state']),
  ]
  return `'${words.join(' ')}'`
}

/** null for a response without data. */
const answerSchema = ({ data, envelope }: Operation): TSchema | null =>
  envelope.kind === 'C' && !envelope.data ? null : data

const schemasText = (schemas: [string, TSchema | null][]) =>
  `{\n${schemas
    .flatMap(([name, schema]) =>
      schema === null ? [] : [`${JSON.stringify(name)}: ${JSON.stringify(checkedSchema(schema))}`],
    )
    .join(',\n')}\n}\n`
