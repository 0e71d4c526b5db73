import type { CommandEntry } from './index.ts'

/** What `tapewright --help` prints: one line for each command. */
export function overview(commands: readonly CommandEntry[]): string {
  const width = Math.max(...commands.map((command) => command.name.length))
  const rows = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`)
  return [
    'usage: tapewright <command> [flags]',
    '',
    'A local stand-in for a crypto market-data service, HTTP and WebSocket.',
    '',
    ...rows,
    '',
    'tapewright <command> --help   every flag of one command',
    'tapewright --version          the version',
  ].join('\n')
}
