/** The examples in other languages: what builds them, what runs them, and what they need. */
import path from 'node:path'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'

export interface Example {
  name: string
  /** Its folder in `examples`. */
  folder: string
  /** Programs without which it cannot be run. */
  needs: readonly string[]
  /** What else must end well, or it cannot be run either. */
  probe?: readonly string[]
  /** Compiles it into a folder. */
  build?: (into: string) => readonly string[]
  client: (into: string) => readonly string[]
  naive: (into: string) => readonly string[]
}

const PYTHON = Bun.which('python3') ?? 'python3'

/** The one that has the packages of Debian, where another goes first on the path. */
const PYTHONS = [PYTHON, '/usr/bin/python3']
const IMPORTS = 'import requests, websockets'
const LIBRARY_PYTHON = PYTHONS.find((one) => Bun.which(one) && ends([one, '-c', IMPORTS])) ?? PYTHON

/** What follows a socket. */
export const FOLLOWERS: readonly Example[] = [
  {
    name: 'python, standard library',
    folder: 'python',
    needs: ['python3'],
    client: () => [PYTHON, 'client.py'],
    naive: () => [PYTHON, 'naive_client.py'],
  },
  {
    name: 'python, requests and websockets',
    folder: 'python',
    needs: ['python3'],
    probe: [LIBRARY_PYTHON, '-c', IMPORTS],
    client: () => [LIBRARY_PYTHON, 'library_client.py'],
    naive: () => [LIBRARY_PYTHON, 'naive_client.py'],
  },
  {
    name: 'go',
    folder: 'go',
    needs: ['go'],
    build: (into) => ['go', 'build', '-o', `${into}/`, './...'],
    client: (into) => [path.join(into, 'client')],
    naive: (into) => [path.join(into, 'naive')],
  },
  {
    name: 'java',
    folder: 'java',
    needs: ['java', 'javac'],
    build: (into) => ['javac', '-d', into, 'Service.java', 'Client.java', 'NaiveClient.java'],
    client: (into) => [...JAVA, into, 'Client'],
    naive: (into) => [...JAVA, into, 'NaiveClient'],
  },
]

/** A small machine that starts soon. */
const JAVA = ['java', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-Xshare:auto', '-cp']

/** What only reads, by each shell. */
export const READERS: readonly Example[] = ['dash', 'bash'].map((shell) => ({
  name: `curl by ${shell}`,
  folder: 'curl',
  needs: [shell, 'curl', 'openssl'],
  client: () => [shell, 'client.sh'],
  naive: () => [shell, 'naive.sh'],
}))

/** Where an example lies. */
export const folderOf = ({ folder }: Example) => path.join(PROJECT_FOLDER, 'examples', folder)

/** Whether it can be run here. */
export const canRun = ({ needs, probe }: Example): boolean =>
  needs.every((name) => Bun.which(name) !== null) && (probe === undefined || ends(probe))

/** What it is called in a report, with what it needs. */
export const titleOf = ({ name, needs, probe }: Example): string =>
  `${name} (needs ${[...needs, ...(probe ? [IMPORTS.replace('import ', '')] : [])].join(', ')})`

function ends(command: readonly string[]): boolean {
  return Bun.spawnSync([...command], { stdout: 'ignore', stderr: 'ignore' }).exitCode === 0
}
