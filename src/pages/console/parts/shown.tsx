/** An answer as a view shows it: loading, failed, empty, or what there is. */
import type { ComponentChildren } from 'preact'
import { errorText } from '../shell/error-text.ts'
import { say } from './part-words.ts'

export interface ShownProps<T> {
  of: { data: T | null; error: unknown; isLoading: boolean; reload(): void }
  /** Whether there is nothing in it. */
  isEmpty?: (data: T) => boolean
  /** What is said then. */
  emptyText?: string
  children: (data: T) => ComponentChildren
}

/** Shows what was last answered, and the error beside it when asking again has failed. */
export function Shown<T>({ of, isEmpty, emptyText, children }: ShownProps<T>) {
  const { data, error, isLoading, reload } = of
  if (data === null && error != null) return <ErrorNote error={error} onRetry={reload} />
  if (data === null) return <p class="note">{isLoading ? say('loading') : say('nothing')}</p>
  return (
    <>
      {error != null && <ErrorNote error={error} onRetry={reload} />}
      {isEmpty?.(data) ? <p class="note">{emptyText ?? say('nothing')}</p> : children(data)}
    </>
  )
}

/** What is said while nothing was pushed: why it cannot be, or that it is waited for. */
export function NoPush({ refusal, text = say('loading') }: { refusal: unknown; text?: string }) {
  return refusal === null ? <p class="note">{text}</p> : <ErrorNote error={refusal} />
}

/** What went wrong, in the words of whoever said so. */
export function ErrorNote({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  return (
    <div class="error-note" role="alert">
      <p>
        <strong>{say('failed')}</strong> {errorText(error)}
      </p>
      {onRetry && (
        <button type="button" onClick={onRetry}>
          {say('again')}
        </button>
      )}
    </div>
  )
}
