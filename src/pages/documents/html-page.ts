/** A page that is read in a browser: no font, no network, and scripts only of our own. */

export interface HtmlPage {
  title: string
  /** Where it is, so that its link is marked. */
  path: string
  /** HTML. */
  main: string
  /** Paths of scripts and style sheets besides the one of all pages. */
  scripts?: readonly string[]
  styles?: readonly string[]
}

/** The whole document. */
export function htmlPage({ title, path, main, scripts = [], styles = [] }: HtmlPage): string {
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<title>${escaped(title)} · Tapewright</title>`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    '<link rel="icon" href="/favicon.svg" type="image/svg+xml">',
    ...[...styles, '/pages/style.css'].map((href) => `<link rel="stylesheet" href="${href}">`),
    ...scripts.map((source) => `<script src="${source}" defer></script>`),
    '</head>',
    '<body>',
    '<a class="skip" href="#main">Skip to the content</a>',
    `<header><nav aria-label="Pages">${PAGE_LINKS.map((link) => pageLink(link, path)).join('')}`,
    '</nav></header>',
    `<main id="main" tabindex="-1">${main}</main>`,
    '</body>',
    '</html>',
  ].join('\n')
}

/** Text as HTML shows it. */
export const escaped = (text: string): string => Bun.escapeHTML(text)

/** Markdown as HTML: headings can be linked to, what is wide scrolls inside itself. */
export function htmlOf(markdown: string): string {
  return Bun.markdown
    .html(markdown)
    .replace(/<h([1-4])>(.*?)<\/h\1>/g, (_, level: string, inner: string) => {
      return `<h${level} id="${anchorOf(inner)}">${inner}</h${level}>`
    })
    .replaceAll('<th></th>', '<td></td>')
    .replaceAll('<table>', '<div class="scroll" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')
    .replaceAll('<pre>', '<pre tabindex="0">')
}

/** What a heading is linked to by: its words, without what HTML is written in. */
export const anchorOf = (heading: string): string =>
  heading
    .replace(/<[^>]*>|&\w+;/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

/** The pages, in the order in which each of them links to all. */
export const PAGE_LINKS = [
  { path: '/', name: 'Tapewright', about: 'what this is and what is running' },
  { path: '/console', name: 'Console', about: 'the market, live: see it, drive it, explain it' },
  { path: '/swagger', name: 'Operations', about: 'the OpenAPI document, to try each operation' },
  { path: '/asyncapi', name: 'Sockets', about: 'socket paths, frames and channels' },
  { path: '/reference', name: 'Reference', about: 'every operation, with a search' },
  { path: '/_control', name: 'Control plane', about: 'its own document, to try each call' },
] as const

function pageLink({ path, name }: (typeof PAGE_LINKS)[number], here: string): string {
  const isHere = path === here || (path !== '/' && here.startsWith(`${path}/`))
  return `<a href="${path}"${isHere ? ' aria-current="page"' : ''}>${name}</a>`
}
