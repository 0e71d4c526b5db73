/**
 * The steps of a Dockerfile, run without an engine: a folder stands for the output of a stage, and
 * this machine for its base image.
 */
import { cpSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { DockerfileParser, type ModifiableInstruction } from 'dockerfile-ast'

export interface Step {
  keyword: string
  /** `--from=build` as `from: 'build'`. */
  flags: Readonly<Record<string, string>>
  /** The rest of the step, as written. */
  text: string
}

/** The steps of each stage, under the stage's name; that of the last one is `''`. */
export function stagesOf(dockerfile: string): Map<string, Step[]> {
  const stages = new Map<string, Step[]>()
  let steps: Step[] = []
  for (const instruction of DockerfileParser.parse(dockerfile).getInstructions()) {
    const keyword = instruction.getKeyword()
    const text = instruction.getArgumentsContent() ?? ''
    if (keyword === 'FROM') {
      steps = []
      stages.set(/ AS (\S+)/i.exec(text)?.[1] ?? '', steps)
    }
    const flags = 'getFlags' in instruction ? (instruction as ModifiableInstruction).getFlags() : []
    const read = flags.map((flag) => [flag.getName(), flag.getValue() ?? ''] as const)
    steps.push({ keyword, flags: Object.fromEntries(read), text })
  }
  return stages
}

/** The arguments of all steps with a keyword. */
export const argumentsOf = (steps: readonly Step[], keyword: string): string[] =>
  steps.filter((step) => step.keyword === keyword).map(({ text }) => text)

/** Copies files that `.dockerignore` lets through; `!` names those that are included. */
export function copyContext(ignored: string, project: string, folder: string): void {
  const lines = ignored.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const [all, ...kept] = lines
  if (all !== '*' || kept.some((line) => !line.startsWith('!')))
    throw new Error('.dockerignore is not a list of what is let through')
  for (const line of kept) {
    const name = line.slice(1)
    cpSync(path.join(project, name), path.join(folder, name), { recursive: true })
  }
}

/** Runs the copies of a stage from another one into a folder. */
export function copyFromStage(
  steps: readonly Step[],
  builtAt: string,
  built: string,
  root: string,
): void {
  for (const { keyword, flags, text } of steps) {
    if (keyword !== 'COPY' || flags.from === undefined) continue
    const [from = '', to = ''] = text.split(' ')
    const target = path.join(root, to)
    mkdirSync(target, { recursive: true })
    cpSync(path.join(built, path.relative(builtAt, from)), target, { recursive: true })
  }
}
