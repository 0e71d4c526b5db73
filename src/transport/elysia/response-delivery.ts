/** Answers that come late, slowly or not whole, as a scenario wants them. */
import { hostClock } from '../../clock/system-clock.ts'
import type { ResponseDelivery } from '../../pipeline/http-message.ts'

interface ResponseHead {
  status: number
  headers: Record<string, string>
}

/** Sends a body as its delivery says. A lost connection is a stream that breaks off. */
export async function deliver(
  head: ResponseHead,
  body: string,
  delivery: ResponseDelivery,
): Promise<Response> {
  await delivery.ready
  switch (delivery.drop) {
    case 'before':
      return new Response(brokenStream([]), head)
    case 'middle':
      return new Response(brokenStream([Buffer.from(body.slice(0, body.length >> 1))]), head)
    case 'after':
      return new Response(body, { ...head, headers: { ...head.headers, connection: 'close' } })
    default:
      return new Response(delivery.chunks ? chunkStream(delivery.chunks()) : body, head)
  }
}

/** Breaks off after its chunks: the connection is reset. */
function brokenStream(chunks: Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const chunk = chunks.shift()
      if (chunk) controller.enqueue(chunk)
      // What is on its way must have gone before the connection is reset.
      for (let turn = 0; chunk && turn < 3; turn++) await hostClock.yieldTurn()
      if (chunk) return
      // An error with a message would be printed by the runtime.
      controller.error()
    },
  })
}

function chunkStream(chunks: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await iterator.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await iterator.return?.()
    },
  })
}
