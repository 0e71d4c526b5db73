/**
 * Every command of the documents is run, or the document has a reason. dash supports the least;
 * signatures computed by a shell are run in bash as well.
 */
import { afterAll, expect, test } from 'bun:test'
import { type CodeBlock, codeBlocks, isShown, pagePaths, runBlocks } from './code-blocks.ts'
import { Workplace } from './workplace.ts'

const NEEDED = ['curl', 'openssl']
const SHELLS = ['dash', 'bash']

/** The method, an address with or without quotes, and a body. */
const CALL_FORMS = /-X [A-Z]+|(?<!DELETE) 'http(?=:)| http(?=:)| --json/g

/**
 * The generated calls are all made by `test/control/openapi-examples.test.ts`, which compares their
 * page too: here those that are the first with a way of writing one.
 */
function withoutRepeatedForms(blocks: readonly CodeBlock[]): CodeBlock[] {
  const known = new Set<string>()
  return blocks.filter(({ isCall, text }) => {
    const forms = isCall ? (text.match(CALL_FORMS) ?? []).filter((form) => !known.has(form)) : []
    for (const form of forms) known.add(form)
    return !isCall || forms.length > 0
  })
}

const pages = await Promise.all(
  pagePaths().map(async (page) => ({
    page,
    blocks: withoutRepeatedForms(runBlocks(await codeBlocks(page))),
  })),
)
const isScript = ({ language }: CodeBlock) => language === 'sh'
const withCommands = pages.filter(({ blocks }) => blocks.some(isScript))
const signing = withCommands.filter(({ blocks }) =>
  blocks.some((block) => isScript(block) && block.text.includes('openssl')),
)

const places: Workplace[] = []
afterAll(() => Promise.all(places.map((one) => one.close())))

for (const [nth, shell] of SHELLS.entries())
  test
    .skipIf([...NEEDED, shell].some((name) => Bun.which(name) === null))
    .each(nth === 0 ? withCommands : signing)(
    `the commands of $page are run by ${shell} (needs ${[...NEEDED, shell].join(', ')})`,
    async ({ blocks }) => {
      const place = new Workplace()
      places.push(place)
      for (const { at, language, text, file, once, output, until } of blocks) {
        if (file !== undefined) await place.write(file, text)
        if (language !== 'sh' || (once !== undefined && nth > 0)) continue
        const script = await place.write('block.sh', `set -eu\n${text}`)
        const { code, printed, complaints } = await place.run([shell, script], until)
        if (code !== 0) throw new Error(`${at} ends with ${code}\n${printed}\n${complaints}`)
        if (output !== undefined && !isShown(output, printed))
          expect([at, printed]).toEqual([at, output])
      }
      await place.close()
    },
  )
