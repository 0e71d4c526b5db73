import { defineConfig } from '@playwright/test'

const port = process.env.PORT ?? '4173'
const executablePath = process.env.CHROMIUM_PATH

export default defineConfig({
  testDir: 'tests',
  // How fast the machine is says nothing of the page.
  timeout: 300_000,
  expect: { timeout: 120_000 },
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    serviceUrls: ['https://market-data.example'],
    launchOptions: { executablePath, args: ['--no-sandbox', '--disable-gpu'] },
  },
  webServer: { command: 'node server.js', env: { PORT: port }, url: `http://127.0.0.1:${port}` },
})
