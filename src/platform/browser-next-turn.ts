/**
 * Turns in a browser: messages to oneself, since its timers wait for 4 ms once they follow one
 * another, and in a tab that nobody looks at for a second.
 */
const { port1: inbox, port2: outbox } = new MessageChannel()
const tasks: (() => void)[] = []

inbox.onmessage = () => tasks.shift()?.()

/** Calls a task once, after whatever is waiting now; the result cancels it. */
export function inNextTurn(task: () => void): () => void {
  let isWanted = true
  tasks.push(() => {
    if (isWanted) task()
  })
  outbox.postMessage(null)
  return () => {
    isWanted = false
  }
}
