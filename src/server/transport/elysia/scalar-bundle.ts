/** The script that shows OpenAPI documents, from its package. */

/** Name of the built, compressed script beside the program. */
export const SCALAR_FILE = 'scalar.js'

/**
 * The standalone bundle of Scalar as its plugin for Fastify serves it. The plugin has it inside;
 * `@scalar/api-reference`, of which it is one file, would install 260 packages.
 */
export function scalarBundle(): Uint8Array<ArrayBuffer> {
  // Resolved at run time: the program has the file instead.
  const { default: plugin } = require(Bun.resolveSync(PACKAGE, import.meta.dir)) as Plugin
  let script = ''
  const reply = {
    header: () => reply,
    send(content: string) {
      script = content
    },
  }
  const route = ({ url, handler }: Route) => {
    if (url.endsWith('.js')) handler(null, reply)
  }
  plugin({ route }, { configuration: { url: '/' } }, () => {})
  const allowed = script.replace(EDITOR_STYLES, '$1.adoptedStyleSheets')
  if (allowed === script) throw new Error(`${PACKAGE} does not have the expected script`)
  return new TextEncoder().encode(allowed)
}

const PACKAGE = '@scalar/fastify-api-reference'

/**
 * The editor inside has a constructed style sheet in shadow roots only, and otherwise a style
 * element that grows with each editor; no hash in a policy could allow that one.
 */
const EDITOR_STYLES = /!(\w+)\.head&&\1\.adoptedStyleSheets/

interface Route {
  url: string
  handler(request: null, reply: object): void
}

interface Plugin {
  default(server: object, options: object, next: () => void): void
}
