import { existsSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { UserError } from '../../user-error.ts'
import { BY_NAME, type ByteSource, type SourceOptions } from './byte-source.ts'
import { httpFile } from './http-file.ts'
import { localFile } from './local-file.ts'
import { bucketObjects, isBucketName } from './s3-bucket.ts'

/** Names of files that lie in folders beside what is recorded. */
const PASSED_OVER = /^\.|\.(?:md|txt|sha256|checksum|tmp|partial)$/i
/** A folder in which an import keeps what is done. */
const KEPT = /\.partial(?:[/\\]|$)/

/**
 * What files, folders, `http(s)://` and `s3://` addresses name, in the order given.
 *
 * A folder stands for all files below it, by name; a number in a name counts as a number, so that
 * hour 9 comes before hour 10. What does not exist is a `UserError`.
 */
export async function sourcesOf(
  names: readonly string[],
  options: SourceOptions = {},
): Promise<ByteSource[]> {
  const sources: ByteSource[] = []
  for (const name of names) {
    if (/^https?:\/\//i.test(name)) sources.push(await httpFile(name, options))
    else if (isBucketName(name)) sources.push(...(await bucketObjects(name, options)))
    else sources.push(...localFiles(name))
  }
  return sources
}

function localFiles(name: string): ByteSource[] {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(name))
    throw new UserError(`${name}: is no address that can be read: http://, https:// or s3://`)
  if (!existsSync(name)) throw new UserError(`${name}: there is no such file`)
  if (isFile(name)) return [localFile(name)]
  if (!statSync(name).isDirectory())
    throw new UserError(`${name}: is no file that can be read twice: write it to one first`)
  const files = readdirSync(name, { recursive: true, withFileTypes: true })
    .filter(({ name }) => !PASSED_OVER.test(name))
    .filter(({ parentPath }) => !KEPT.test(path.relative(name, parentPath)))
    .map((entry) => ({ file: path.join(entry.parentPath, entry.name), entry }))
    .filter(({ file, entry }) => entry.isFile() || (entry.isSymbolicLink() && isFile(file)))
    .map(({ file }) => file)
    .sort(BY_NAME.compare)
  if (files.length === 0) throw new UserError(`${name}: is a folder without a file`)
  return files.map(localFile)
}

/** Whether it is one, or a link to one. */
const isFile = (name: string): boolean =>
  statSync(name, { throwIfNoEntry: false })?.isFile() ?? false
