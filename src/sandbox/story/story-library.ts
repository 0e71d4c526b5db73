/** The stories of folders, by file name. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { UserError } from '../../platform/user-error.ts'
import type { StoryLibrary } from './story-list.ts'
import { parseStoryYaml, type Story } from './story-parser.ts'

const YAML_SUFFIX = /\.ya?ml$/

/** Reads the stories of folders; of two with one name that of the later folder counts. */
export const storyLibrary =
  (folders: readonly string[], scenarios: () => readonly string[]): StoryLibrary =>
  () => {
    const stories = new Map<string, Story>()
    const flaws: string[] = []
    for (const folder of folders)
      for (const file of yamlFiles(folder)) {
        const name = file.replace(YAML_SUFFIX, '')
        try {
          const text = readFileSync(path.join(folder, file), 'utf8')
          stories.set(name, parseStoryYaml(name, file, text, scenarios()))
        } catch (error) {
          if (!(error instanceof UserError)) throw error
          flaws.push(...error.message.split('\n'))
        }
      }
    return { stories: [...stories.values()], flaws }
  }

const yamlFiles = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((file) => YAML_SUFFIX.test(file))
        .sort()
    : []
