/** Keys that move the playhead: in Drive, and where one looks at a market. */
import { useShortcut } from '../../shell/keyboard.ts'
import { shiftSpeed, step, togglePlay } from './playhead-changes.ts'
import { say } from './words.ts'

/** They work while it is there. */
export function DriveKeys(): null {
  useDriveKeys()
  return null
}

function useDriveKeys(): void {
  useShortcut(' ', () => say('playPause'), togglePlay)
  useShortcut(
    'ArrowRight',
    () => say('step'),
    () => void step(),
  )
  useShortcut(
    't',
    () => say('stepTrade'),
    () => void step('trade'),
  )
  useShortcut(
    'ArrowUp',
    () => say('faster'),
    () => shiftSpeed(1),
  )
  useShortcut(
    'ArrowDown',
    () => say('slower'),
    () => shiftSpeed(-1),
  )
}
