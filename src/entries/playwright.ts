/** `tapewright/playwright`: a `test` that gives each test a sandbox of its own. */
export {
  expect,
  type SandboxFixtures,
  type SandboxSettings,
  test,
} from '../server/playwright/fixture.ts'
