/** Markdown as a page that is read in a browser: no script, no font, no network. */

/** HTML with a list of its headings beside it. */
export function htmlPage(title: string, markdown: string): string {
  const { body, headings } = numbered(Bun.markdown.html(markdown))
  const links = headings.map(
    ({ level, id, html }) => `<a class="l${level}" href="#${id}">${html}</a>`,
  )
  return [
    '<!doctype html>',
    '<html lang="en">',
    `<head><meta charset="utf-8"><title>${title}</title>`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<style>${STYLE}</style></head>`,
    `<body><nav>${links.join('\n')}</nav>`,
    `<main>${body}</main></body>`,
    '</html>',
  ].join('\n')
}

interface Heading {
  level: number
  id: string
  html: string
}

/** Gives each heading an id, so that it can be linked to. */
function numbered(html: string): { body: string; headings: Heading[] } {
  const headings: Heading[] = []
  const body = html.replace(/<h([1-4])>(.*?)<\/h\1>/g, (_, digit: string, inner: string) => {
    const level = Number(digit)
    const id = `h${headings.length}`
    headings.push({ level, id, html: inner })
    return `<h${level} id="${id}">${inner}</h${level}>`
  })
  return { body, headings: headings.filter(({ level }) => level > 1) }
}

const STYLE = `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 18%, transparent) }
body { margin: 0; display: flex; font: 15px/1.5 system-ui, sans-serif }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; flex: 0 0 17rem; padding: 1rem;
  box-sizing: border-box; border-right: 1px solid var(--line); font-size: 13px }
nav a { display: block; padding: 1px 0; color: inherit; text-decoration: none }
nav a:hover { text-decoration: underline }
nav .l2 { font-weight: 600; margin-top: .6rem } nav .l3 { padding-left: .8rem }
nav .l4 { padding-left: 1.6rem; opacity: .75 }
main { flex: 1; min-width: 0; max-width: 60rem; padding: 1rem 2rem 4rem }
h1, h2, h3, h4 { line-height: 1.2; margin: 2rem 0 .6rem }
h2 { border-top: 1px solid var(--line); padding-top: 1.2rem }
table { border-collapse: collapse; display: block; overflow-x: auto; margin: .6rem 0 }
th, td { border: 1px solid var(--line); padding: .25rem .6rem; text-align: left;
  vertical-align: top }
code { font: .92em ui-monospace, monospace }
pre { padding: .7rem 1rem; overflow: auto; border: 1px solid var(--line); border-radius: 4px }
@media (max-width: 45rem) { nav { display: none } main { padding: 1rem } }
`
