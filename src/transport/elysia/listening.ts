import { UserError } from '../../user-error.ts'
import type { server } from './server.ts'

/** Listens; answers with the origin, `http://host:port`. A UserError when that cannot be. */
export function listen(
  app: ReturnType<typeof server>,
  { port, host }: { port: number; host: string },
): string {
  try {
    app.listen({ port, hostname: host, reusePort: false })
  } catch (error) {
    const taken = (error as { code?: string }).code === 'EADDRINUSE'
    const hint = taken ? 'is taken: use --port 0 for any free one' : (error as Error).message
    throw new UserError(`cannot listen on ${host}:${port}: ${hint}`)
  }
  const shown = host.includes(':') ? `[${host}]` : host
  return `http://${shown}:${app.server?.port ?? port}`
}
