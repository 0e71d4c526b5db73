/** Memory of a client after ten thousand reconnects, against that after a thousand. */
import { client } from '../src/clients/service/client.ts'
import { hostClock } from '../src/clock/system-clock.ts'
import { ClientSocket, ON_CLIENT_SOCKETS } from './measure/client-socket.ts'
import { row } from './measure/result-row.ts'

const FEW = 1_000
const MANY = 10_000

/** Timeouts and heartbeats, which never fire; all other waits take no time. */
const LIMITS_MS = [10_000, 25_000, 30_000, 60_000]

const systemClock = {
  ...hostClock,
  startTimer: (delayMs: number, task: () => void) =>
    LIMITS_MS.includes(delayMs) ? () => {} : hostClock.runSoon(task),
}

const service = client({ ...ON_CLIENT_SOCKETS, systemClock })
service.subscribe('l2Book', { coin: 'BTC' })
service.subscribe('trades', { coin: 'BTC' })
service.subscribe('userFills', { user: `0x${'a'.repeat(40)}` })

async function reconnect(times: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    const before = ClientSocket.latest
    before.close(1006)
    while (ClientSocket.latest === before) await hostClock.yieldTurn()
    await hostClock.yieldTurn()
  }
}

function heapBytes(): number {
  Bun.gc(true)
  return process.memoryUsage().heapUsed
}

await hostClock.yieldTurn()
await reconnect(FEW)
const baseline = heapBytes()
await reconnect(MANY - FEW)
row({ name: `heap after ${MANY} reconnects`, value: heapBytes(), baseline, unit: 'bytes' })
service.close()
