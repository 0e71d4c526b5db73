/** A page for browsers: no fonts, no network, and only scripts of our own. */

export interface HtmlPage {
  title: string
  /** Path, which marks its link. */
  path: string
  /** HTML. */
  main: string
  /** Paths of scripts and style sheets besides those of all pages. */
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
    pageHead([...styles, '/pages/style.css']),
    ...scripts.map((source) => `<script src="${source}" defer></script>`),
    '</head>',
    '<body>',
    pageHeader(path),
    `<main id="main" tabindex="-1">${main}</main>`,
    '</body>',
    '</html>',
  ].join('\n')
}

/** What the head of every page has: colours, the icon, and style sheets by their paths. */
export const pageHead = (styles: readonly string[]): string =>
  [
    '<meta name="color-scheme" content="light dark">',
    '<link rel="icon" href="/favicon.svg" type="image/svg+xml">',
    ...styles.map((href) => `<link rel="stylesheet" href="${href}">`),
  ].join('\n')

/** Links to all pages, and one to the content, `#main`. */
export const pageHeader = (path: string): string =>
  [
    '<a class="skip" href="#main">Skip to the content</a>',
    `<header><nav aria-label="Pages">${PAGE_LINKS.map((link) => pageLink(link, path)).join('')}`,
    '<span class="language">English; <a href="/console" lang="zh">控制台有中文</a></span>',
    '</nav></header>',
  ].join('\n')

/** Text escaped for HTML. */
export const escaped = (text: string): string => Bun.escapeHTML(text)

/** Markdown as HTML: headings are linkable, wide contents scroll. */
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

/** Anchor of a heading: its words, without HTML syntax. */
export const anchorOf = (heading: string): string =>
  heading
    .replace(/<[^>]*>|&\w+;/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

/** Links to all pages, in order. */
export const PAGE_LINKS = [
  { path: '/', name: 'Tapewright', about: 'what this is, and running sandboxes' },
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
