/**
 * Playwright's `test` with a sandbox for each test.
 *
 * `sandbox` is made before the test and closed after it; what the pages of the test ask of
 * `serviceUrls` goes to it, over HTTP and sockets. When a test fails, the sandbox's journal is
 * attached to the report: every request and frame, and why it was answered so.
 */
import { test as base, type TestInfo } from '@playwright/test'
import type { CreateSandboxOptions, SandboxHandle } from '../embedding/create-sandbox.ts'
import { createSandbox } from '../embedding/node.ts'
import { routeService } from './service-routing.ts'

export { expect } from '@playwright/test'

/** Settings of a project, a file or a group: `test.use({…})` or `use` of the configuration. */
export interface SandboxSettings {
  /** As `createSandbox` takes them. */
  sandboxOptions: CreateSandboxOptions
  /** Where the pages believe the service to be: `['https://api.service.example']`. */
  serviceUrls: readonly string[]
}

export interface SandboxFixtures {
  /** A sandbox of the test's own. */
  sandbox: SandboxHandle
}

export const test = base.extend<SandboxSettings & SandboxFixtures>({
  sandboxOptions: [{}, { option: true }],
  serviceUrls: [[], { option: true }],
  sandbox: async ({ sandboxOptions }, use, testInfo) => {
    await using sandbox = await createSandbox(sandboxOptions)
    await use(sandbox)
    if (testInfo.status !== testInfo.expectedStatus) await attachJournal(sandbox, testInfo)
  },
  context: async ({ context, serviceUrls, sandbox }, use) => {
    await routeService(context, serviceUrls, sandbox)
    await use(context)
  },
})

/** The newest ones: what led to the failure is among them. */
const ENTRIES_MAX = 2_000

async function attachJournal({ control }: SandboxHandle, testInfo: TestInfo): Promise<void> {
  const entries = await control.journal.read({ limit: ENTRIES_MAX })
  const body = JSON.stringify(entries, null, 2)
  await testInfo.attach('sandbox journal', { body, contentType: 'application/json' })
}
