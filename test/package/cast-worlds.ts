/** Cast worlds for runs of the package. */
import path from 'node:path'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'

/** A cache folder with the world of the default recording in it. */
export async function castWorlds(): Promise<string> {
  await recordedRegistry()
  return path.join(PROJECT_FOLDER, '.cache', 'worlds')
}
