/**
 * A service with a small response, or a bare Bun proxy in front of a given port, in a process of
 * its own.
 */
const upstream = process.argv[2]
const BODY = JSON.stringify({
  code: '0',
  msg: 'success',
  data: Array.from({ length: 20 }, (_, at) => ({ coin: `C${at}`, price: String(94_000 + at) })),
})

const server = Bun.serve({
  port: 0,
  fetch(request) {
    if (upstream === undefined)
      return new Response(BODY, { headers: { 'content-type': 'application/json' } })
    const { pathname, search } = new URL(request.url)
    const { method, headers, body } = request
    const init = { method, headers, body, redirect: 'manual', decompress: false } as const
    return fetch(`http://127.0.0.1:${upstream}${pathname}${search}`, init)
  },
})
console.log(`listening on http://127.0.0.1:${server.port}`)
