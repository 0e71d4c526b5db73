/**
 * Pages of `@elysiajs/swagger`, which show an OpenAPI document and try its operations: the page
 * that the plugin writes, with our header, and with every file from this server.
 */
import path from 'node:path'
import { swagger } from '@elysiajs/swagger'
import { Elysia } from 'elysia'
import type { ShownDocument } from '../../../pages/documents/pages.ts'
import { type Packed, readPacked } from './packed-file.ts'
import { SCALAR_FILE, scalarBundle } from './scalar-bundle.ts'

export interface DocumentPage {
  html: string
  /** Sources of its `script-src` and `style-src-elem` besides this server. */
  scripts: string
  styles: string
}

/** The page of a document; written once. */
export function documentPage(document: ShownDocument): Promise<DocumentPage> {
  const page = written.get(document.path) ?? write(document)
  written.set(document.path, page)
  return page
}

const written = new Map<string, Promise<DocumentPage>>()

/** The script that the page loads, as built beside the program, else from its package. */
export function scalarFile(): Promise<Packed> {
  scalar ??= readPacked(path.join(import.meta.dir, SCALAR_FILE), scalarBundle)
  return scalar
}

let scalar: Promise<Packed> | null = null

async function write(document: ShownDocument): Promise<DocumentPage> {
  const { path: at, documentPath, script, title, head, above } = document
  const plugin = swagger({
    path: at,
    specPath: documentPath,
    scalarCDN: script,
    scalarConfig: SETTINGS,
    documentation: { info: { title: `${title} · Tapewright`, version: '', description: title } },
  })
  const answer = await new Elysia().use(plugin).handle(new Request(`http://localhost${at}`))
  const html = new HTMLRewriter()
    .on('html', { element: (tag) => void tag.setAttribute('lang', 'en') })
    .on('head', { element: (tag) => void tag.append(head, { html: true }) })
    .on('body', { element: (tag) => void tag.prepend(above, { html: true }) })
    .transform(await answer.text())
  return {
    html,
    scripts: hashes(html, 'script').join(' '),
    styles: [...hashes(html, 'style'), ...SCALAR_STYLES].join(' '),
  }
}

/** Nothing from elsewhere: no fonts, no proxy, no reports, no assistant. */
const SETTINGS = {
  ...{ withDefaultFonts: false, telemetry: false, theme: 'default', customCss: '' },
  ...{ showDeveloperTools: 'never', hideClientButton: true, hiddenClients: true },
  ...{ agent: { disabled: true }, mcp: { disabled: true } },
  ...{ documentDownloadType: 'json', defaultOpenFirstTag: false, operationsSorter: 'alpha' },
} as object

/** Sources of a policy that allow the inline contents of a page. */
const hashes = (html: string, tag: 'script' | 'style'): string[] =>
  [...html.matchAll(new RegExp(`<${tag}[^>]*>(.*?)</${tag}>`, 'gs'))].map(
    ([, content = '']) =>
      `'sha256-${new Bun.CryptoHasher('sha256').update(content).digest('base64')}'`,
  )

/**
 * Style sheets that Scalar adds as it runs. Another version has others; a browser then names them,
 * and `test/pages/tried-out.test.ts` fails.
 */
const SCALAR_STYLES = [
  "'sha256-SdwVUZnWy8xuzu9alwp9UnSB2w2COBuIILA4H0uPqJM='",
  "'sha256-l/2OpPg0d+2VLTLgwjf5mQo2CYwHDEqdj5TjbfEyVJI='",
  "'sha256-T13Uev3xCax2N28XaoAE8DOzQZKvPp7ZQVAi1iRREjo='",
]
