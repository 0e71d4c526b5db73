/**
 * A client behind msw, on any runtime: `talk.js BASE_URL PATH SIGNED REFUSED`. Prints a response, a
 * refusal, a socket and a refused one, as JSON.
 */
import { setupServer } from 'msw/node'
import { handlers } from '../../../src/server/transport/msw/index.ts'

const [baseUrl = '', path = '', signed = '', refused = ''] = process.argv.slice(2)
const ORIGIN = 'https://api.example.test'

const server = setupServer(...handlers({ baseUrl }, { origin: ORIGIN }))
server.listen()

async function ask(query: string) {
  const answer = await fetch(`${ORIGIN}${path}/tickers?${query}`)
  return [answer.status, answer.headers.get('content-type'), await answer.text()]
}

function talk(query: string): Promise<string[]> {
  const events: string[] = []
  const socket = new WebSocket(`${ORIGIN.replace('http', 'ws')}${path}/ws?${query}`)
  socket.onopen = () => {
    events.push('open')
    socket.send(new TextEncoder().encode('bytes'))
    socket.send('{"method":"ping"}')
  }
  socket.onmessage = ({ data }) => {
    events.push(String(data))
    if (events.length === 3) socket.close(3001, 'enough')
  }
  socket.onerror = () => events.push('error')
  return new Promise((resolve) => {
    socket.onclose = ({ code, reason }) => resolve([...events, `close ${code} ${reason}`])
  })
}

const seen = {
  answer: await ask(signed),
  refusal: await ask(refused),
  socket: await talk(signed),
  refusedSocket: await talk(refused),
}
server.close()
console.log(JSON.stringify(seen))
