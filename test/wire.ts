/** Bytes to a port and back, for what no HTTP client would send. */

/** Sends pieces one after another; answers all that comes until the other side closes or pauses. */
export async function exchange(origin: string, pieces: readonly string[], answers = 1) {
  const { port } = new URL(origin)
  let heard = ''
  const { promise, resolve } = Promise.withResolvers<string>()
  const socket = await Bun.connect({
    hostname: 'localhost',
    port: Number(port),
    socket: {
      data(_, bytes) {
        heard += new TextDecoder().decode(bytes)
        if (whole(heard) >= answers) resolve(heard)
      },
      close: () => resolve(heard),
      error: () => resolve(heard),
    },
  })
  for (const piece of pieces) socket.write(piece)
  socket.flush()
  const said = await promise
  socket.end()
  return said
}

/** How many answers have come with all of their body. */
function whole(heard: string): number {
  let [count, rest] = [0, heard]
  for (;;) {
    const end = rest.indexOf('\r\n\r\n')
    if (end === -1) return count
    const length = /content-length: (\d+)/i.exec(rest.slice(0, end))?.[1]
    const after = rest.slice(end + 4)
    if (after.length < Number(length ?? 0)) return count
    count++
    rest = after.slice(Number(length ?? 0))
  }
}

/** A request as text. */
export function request(line: string, headers: Record<string, string> = {}, body = ''): string {
  const all = { Host: 'localhost', ...(body ? { 'Content-Length': String(body.length) } : {}) }
  const lines = Object.entries({ ...all, ...headers }).map(([name, value]) => `${name}: ${value}`)
  return `${line} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`
}

export const statusOf = (answer: string): number => Number(answer.split(' ')[1])
