/** Snippets of the msw guide are those of the example, or run as they are. */
import { expect, test } from 'bun:test'
import path from 'node:path'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'
import { serve } from '../fixtures/test-server.ts'

const read = (name: string) => Bun.file(path.join(PROJECT_FOLDER, name)).text()
const guide = await read('docs/msw.md')
const snippets = (kind: string) =>
  [...guide.matchAll(new RegExp(`\`\`\`${kind}\n([\\s\\S]*?)\`\`\``, 'g'))].map(
    ([, code = '']) => code,
  )

test('the guide begins like the example', async () => {
  const example = (await read('examples/msw/price-client.test.js')).replaceAll(/\s+/g, ' ')
  const [code = ''] = snippets('js')
  const lines = code.split('\n').filter((line) => line !== '')
  expect(lines).toHaveLength(6)
  for (const line of lines) expect(example).toContain(line.replace(/^const /, ''))
})

test('the snippet for Bun intercepts', async () => {
  const { origin } = await serve()
  const [code = ''] = snippets('ts')
  const entry = path.join(PROJECT_FOLDER, 'src', 'server', 'transport', 'msw', 'index.ts')
  const program = `
    const sandbox = { baseUrl: '${origin}' }
    ${code.replace("'tapewright/msw'", `'${entry}'`)}
    const answer = await fetch('https://api.market-data.example/api/upgrade/v2/hl/tickers')
    console.log(answer.status, await answer.text())
    network.disable()`
  const ran = Bun.spawn([process.execPath, '-e', program], { cwd: PROJECT_FOLDER, stderr: 'pipe' })
  const outputs = [await new Response(ran.stdout).text(), await new Response(ran.stderr).text()]
  expect(outputs).toEqual(['401 {"code":"401","msg":"Invalid signature","data":null}\n', ''])
})
