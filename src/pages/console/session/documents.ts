/** The contract's documents, as the server publishes them: loaded once, on first use. */

/** The used part of a JSON schema. */
export interface SchemaNode {
  $ref?: string
  description?: string
  properties?: Readonly<Record<string, SchemaNode>>
  items?: SchemaNode
  anyOf?: readonly SchemaNode[]
  allOf?: readonly SchemaNode[]
}

interface OpenapiDocument {
  paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
  components?: { schemas?: Readonly<Record<string, SchemaNode>> }
}

export interface DocumentedOperation {
  operationId: string
  'x-permission'?: string
  summary?: string
  parameters?: readonly { name?: string; in?: string; description?: string }[]
  responses?: Readonly<
    Record<string, { content?: Readonly<Record<string, { schema?: SchemaNode }>> }>
  >
}

let openapi: Promise<OpenapiDocument> | null = null

function loadOpenapi(): Promise<OpenapiDocument> {
  openapi ??= fetch('/openapi.json').then((answer) => answer.json() as Promise<OpenapiDocument>)
  return openapi
}

/** Documentation of an operation; null for an undocumented one. */
export async function documentedOperation(id: string) {
  const { paths, components } = await loadOpenapi()
  for (const [path, methods] of Object.entries(paths))
    for (const [method, operation] of Object.entries(methods))
      if (operation.operationId === id)
        return { path, method, operation, schemas: components?.schemas ?? {} }
  return null
}

/** Actions that levels can grant: those required by some operation. */
export async function actionNames(): Promise<string[]> {
  const { paths } = await loadOpenapi()
  const requested = Object.values(paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ 'x-permission': name }) => (name ? [name] : [])),
  )
  return [...new Set(requested)].filter((name) => name.startsWith('HL_')).sort()
}
