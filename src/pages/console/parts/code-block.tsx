/** A text for another program, with a button that copies it. */
import { CopyButton } from './copy-button.tsx'

export function CodeBlock({ text, of }: { text: string; of: string }) {
  return (
    <div class="code-block">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, by the keyboard too */}
      <pre tabIndex={0}>{text}</pre>
      <CopyButton text={text} of={of} />
    </div>
  )
}
