/** Puts a text on the clipboard. */
import { attempt } from '../shell/toast-list.tsx'
import { ICONS, Icon } from './icon.tsx'
import { say } from './part-words.ts'

/** @param of what is copied, said to those who do not see what it stands beside */
export function CopyButton({ text, of }: { text: string; of?: string }) {
  const name = of === undefined ? say('copy') : `${say('copy')}: ${of}`
  const copy = () => attempt(() => navigator.clipboard.writeText(text), say('copied'))
  return (
    <button type="button" class="bare" aria-label={name} title={name} onClick={copy}>
      <Icon lines={ICONS.copy} />
    </button>
  )
}
