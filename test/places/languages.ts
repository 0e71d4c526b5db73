/** The examples in other languages: their builds, commands, and requirements. */
import path from 'node:path'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'

export interface Example {
  name: string
  /** Its folder in `examples`. */
  folder: string
  /** Programs that it requires. */
  needs: readonly string[]
  /** Another command that must succeed for it to run. */
  probe?: readonly string[]
  /** Compiles it into a folder. */
  build?: (into: string) => readonly string[]
  client: (into: string) => readonly string[]
  naive: (into: string) => readonly string[]
}

const PYTHON = Bun.which('python3') ?? 'python3'

/** The one with the packages of Debian, where another comes first on the path. */
const PYTHONS = [PYTHON, '/usr/bin/python3']
const IMPORTS = 'import requests, websockets'
const LIBRARY_PYTHON = PYTHONS.find((one) => Bun.which(one) && ends([one, '-c', IMPORTS])) ?? PYTHON

/** The program that follows a socket. */
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

/** A small virtual machine that starts quickly. */
const JAVA = ['java', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-Xshare:auto', '-cp']

/** The reading program, by each shell. */
export const READERS: readonly Example[] = ['dash', 'bash'].map((shell) => ({
  name: `curl by ${shell}`,
  folder: 'curl',
  needs: [shell, 'curl', 'openssl'],
  client: () => [shell, 'client.sh'],
  naive: () => [shell, 'naive.sh'],
}))

/** The folder of an example. */
export const folderOf = ({ folder }: Example) => path.join(PROJECT_FOLDER, 'examples', folder)

/** Whether it can be run here. */
export const canRun = ({ needs, probe }: Example): boolean =>
  needs.every((name) => Bun.which(name) !== null) && (probe === undefined || ends(probe))

/** Its name in a report, with its requirements. */
export const titleOf = ({ name, needs, probe }: Example): string =>
  `${name} (needs ${[...needs, ...(probe ? [IMPORTS.replace('import ', '')] : [])].join(', ')})`

function ends(command: readonly string[]): boolean {
  return Bun.spawnSync([...command], { stdout: 'ignore', stderr: 'ignore' }).exitCode === 0
}
