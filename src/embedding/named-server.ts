/** A server that runs already, started by somebody else. */
import { control } from '../control-client/control.ts'
import { VERSION } from '../version.ts'
import { SandboxError } from './sandbox-error.ts'
import type { SandboxServer } from './sandbox-server.ts'

/** The server at an address; a SandboxError when it is not there, or not of this version. */
export async function namedServerAt(
  url: string,
  token: string | undefined,
): Promise<SandboxServer> {
  const { version } = await healthOf(url)
  if (version !== VERSION)
    throw new SandboxError(
      `the server at ${url} is Tapewright ${version ?? 'of an earlier version'}, and this ` +
        `package is ${VERSION}: install tapewright@${version ?? 'latest'} here, or start the ` +
        `server with tapewright@${VERSION}`,
    )
  return { url, token, ended: async () => null, stop: async () => {} }
}

async function healthOf(url: string): Promise<{ version?: string }> {
  try {
    return await control(url).health()
  } catch (error) {
    const { message } = error as Error
    const why = message.endsWith('?') ? message : `${message}.`
    throw new SandboxError(
      `${why} \`server\` and TAPEWRIGHT_URL name a server that \`tapewright serve\` has ` +
        'started, and without them createSandbox starts one itself',
      { cause: error },
    )
  }
}
