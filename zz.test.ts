import { test } from 'bun:test'
import { DISTINCTIONS } from './test/http/distinctions/accounts.ts'
