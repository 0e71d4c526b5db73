/** tapewright.schema.json: schema of a settings file, for editors. */
import { configurable } from '../src/server/commands/config-file.ts'
import { SECTIONS } from '../src/server/commands/config-sections.ts'
import type { Flag } from '../src/server/commands/flag.ts'

/** A JSON schema (draft 7, which editors support) of `tapewright.config.json`. */
export function configSchema(): object {
  const sections = Object.entries(SECTIONS).map(([name, { flags, summary }]) => [
    name,
    closed(
      `tapewright ${name}: ${summary}`,
      configurable(flags).map((key) => [key, field(flags[key as keyof typeof flags])]),
    ),
  ])
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Settings of Tapewright',
    ...closed('Flags of commands', [['$schema', { type: 'string' }], ...sections]),
  }
}

const closed = (description: string, properties: (readonly (string | object)[])[]) => ({
  description,
  type: 'object',
  additionalProperties: false,
  properties: Object.fromEntries(properties),
})

function field({ about, fallback, schema, isRepeatable }: Flag): object {
  const value = isRepeatable ? { type: 'array', items: schema } : schema
  return { description: about, ...value, ...(fallback === undefined ? {} : { default: fallback }) }
}
