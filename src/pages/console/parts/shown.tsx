/** State of a request in a view: loading, failed, empty, or data. */
import type { ComponentChildren } from 'preact'
import { errorText } from '../shell/toast-list.tsx'
import { say } from './part-words.ts'

export interface ShownProps<T> {
  of: { data: T | null; error: unknown; isLoading: boolean; reload(): void }
  /** Whether the data is empty. */
  isEmpty?: (data: T) => boolean
  /** Text for empty data. */
  emptyText?: string
  children: (data: T) => ComponentChildren
}

/** Shows the last data, and the error beside it when a reload has failed. */
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

/** Text before the first push: the reason for none, or waiting. */
export function NoPush({ refusal, text = say('loading') }: { refusal: unknown; text?: string }) {
  return refusal === null ? <p class="note">{text}</p> : <ErrorNote error={refusal} />
}

/** An error in its own words. */
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
