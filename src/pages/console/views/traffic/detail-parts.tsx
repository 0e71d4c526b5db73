/** What the details of several sorts of entries are made of. */

import type { ComponentChildren } from 'preact'
import type { JournalEntry } from '../../../../clients/control/records.ts'
import { say } from './words.ts'

/** A part of the detail with a heading. */
export function Part({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="detail-part">
      <h3>{title}</h3>
      {children}
    </section>
  )
}

/** Why it was refused, closed or changed, in a sentence each. */
export function Why({
  entry,
}: {
  entry: JournalEntry & { refused: string | null; subject: string | null }
}) {
  const { refused, subject, rule } = entry
  if (refused === null && subject === null && rule === null)
    return <p class="note">{say('fine')}</p>
  return (
    <div class={refused === null ? 'why' : 'why bad'}>
      {refused !== null && <strong>{say('refusedAs', { name: refused })}</strong>}{' '}
      {subject !== null && say('about_', { subject })}{' '}
      {rule !== null && <span>{say('actedRule', { rule })}</span>}
    </div>
  )
}
