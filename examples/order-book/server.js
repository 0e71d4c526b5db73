/** Serves the files of the page, and nothing else. */
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname } from 'node:path'

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }
const port = Number(process.env.PORT ?? 4173)

createServer(async ({ url }, response) => {
  const name = url === '/' ? '/index.html' : url
  // One folder without any below it: a name with another slash is none of its files.
  const isFile = /^\/[\w-]+\.(html|js|css)$/.test(name)
  const text = isFile ? await readFile(new URL(`page${name}`, import.meta.url)).catch(() => null) : null
  if (text === null) return response.writeHead(404).end()
  response.writeHead(200, { 'content-type': TYPES[extname(name)] }).end(text)
}).listen(port, '127.0.0.1', () => console.log(`http://127.0.0.1:${port}`))
