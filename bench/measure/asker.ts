/**
 * Asks one server as fast as it answers, from a process of its own: so many requests under way at
 * once, on connections that are kept. Takes an order as JSON and prints what it counted.
 */
export interface AskOrder {
  urls: string[]
  atOnce: number
  warmMs: number
  countMs: number
}

export interface Asked {
  perSecond: number
  p99Ms: number
}

async function ask({ urls, atOnce, warmMs, countMs }: AskOrder): Promise<Asked> {
  const startMs = performance.now()
  const [fromMs, untilMs] = [startMs + warmMs, startMs + warmMs + countMs]
  const tookMs: number[] = []
  let next = 0
  const worker = async () => {
    for (let nowMs = startMs; nowMs < untilMs; ) {
      const answer = await fetch(urls[next++ % urls.length] ?? '')
      await answer.arrayBuffer()
      if (!answer.ok) throw new Error(`HTTP ${answer.status}`)
      const doneMs = performance.now()
      if (nowMs >= fromMs && doneMs < untilMs) tookMs.push(doneMs - nowMs)
      nowMs = doneMs
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  tookMs.sort((a, b) => a - b)
  return {
    perSecond: (tookMs.length / countMs) * 1000,
    p99Ms: tookMs[Math.floor(tookMs.length * 0.99)] ?? 0,
  }
}

if (import.meta.main) console.log(JSON.stringify(await ask(JSON.parse(process.argv[2] ?? ''))))
