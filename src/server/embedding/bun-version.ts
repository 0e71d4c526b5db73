/** The version of Bun that the program requires. */
import packageJson from '../../../package.json' with { type: 'json' }
import { isOlder } from '../../platform/version-order.ts'

/** The oldest supported version, which npm installs. */
export const BUN_VERSION = packageJson.dependencies.bun

/** Why the program does not run on this version of Bun; null when it does. */
export function bunFlaw(version: string): string | null {
  if (!isOlder(version, BUN_VERSION)) return null
  return `tapewright needs Bun ${BUN_VERSION} or later, this is Bun ${version}: run \`bun upgrade\``
}
