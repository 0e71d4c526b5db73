/**
 * Turns in a browser: messages to itself, as nested timers wait for 4 ms, and in a hidden tab for a
 * second.
 */
const { port1: inbox, port2: outbox } = new MessageChannel()
const tasks: (() => void)[] = []

inbox.onmessage = () => tasks.shift()?.()

/** Calls a task once, after all waiting tasks; the result cancels it. */
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
