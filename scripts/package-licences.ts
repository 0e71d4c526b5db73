/** Licences of the packages in a bundle. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { ROOT } from './install.ts'

/** @param inputs all inputs of the bundles, by path from the project's folder */
export async function licencesOf(inputs: readonly string[]): Promise<string> {
  const folders = new Set(inputs.flatMap((input) => packageFolder(input) ?? []))
  const texts = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(
      readFileSync(path.join(ROOT, folder, 'package.json'), 'utf8'),
    )
    return `${name} ${version} (${license})\n\n${licenceText(path.join(ROOT, folder))}`
  })
  return `Tapewright contains code of these packages.\n\n${texts.join(`\n${'-'.repeat(72)}\n\n`)}`
}

/** `node_modules/a/b.js` belongs to `node_modules/a`. */
function packageFolder(input: string): string | null {
  const [, folder] = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input) ?? []
  return folder ?? null
}

function licenceText(folder: string): string {
  const files = readdirSync(folder).filter((name) => /^(licen[cs]e|notice)/i.test(name))
  return files.map((name) => readFileSync(path.join(folder, name), 'utf8').trim()).join('\n\n')
}
