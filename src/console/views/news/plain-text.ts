/** What HTML says, as paragraphs of text: read in a document of its own, where nothing runs. */
export function paragraphsOf(html: string): string[] {
  // Without attributes: of a handler in them the browser says that it would not run.
  const tags = html.replace(/<(\/?[a-z][a-z0-9]*)\b[^>]*>/gi, '<$1>')
  const { body } = new DOMParser().parseFromString(tags, 'text/html')
  const blocks = [...body.querySelectorAll('p, li, h1, h2, h3, h4, blockquote')]
  const texts = blocks.length > 0 ? blocks.map((block) => block.textContent) : [body.textContent]
  return texts.map((text) => (text ?? '').trim()).filter((text) => text !== '')
}
