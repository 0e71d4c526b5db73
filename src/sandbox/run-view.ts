import type { SandboxRun } from './sandbox-run.ts'

/** What a sandbox has at present, which a reset puts something else in place of. */
export abstract class RunView implements SandboxRun {
  protected abstract run: SandboxRun

  get clock(): SandboxRun['clock'] {
    return this.run.clock
  }

  get playhead(): SandboxRun['playhead'] {
    return this.run.playhead
  }

  get player(): SandboxRun['player'] {
    return this.run.player
  }

  get delivery(): SandboxRun['delivery'] {
    return this.run.delivery
  }

  get growthAhead(): SandboxRun['growthAhead'] {
    return this.run.growthAhead
  }

  get marketEvents(): SandboxRun['marketEvents'] {
    return this.run.marketEvents
  }

  get alerts(): SandboxRun['alerts'] {
    return this.run.alerts
  }

  get bookmarks(): SandboxRun['bookmarks'] {
    return this.run.bookmarks
  }

  get said(): SandboxRun['said'] {
    return this.run.said
  }

  get nonces(): SandboxRun['nonces'] {
    return this.run.nonces
  }

  get tenancy(): SandboxRun['tenancy'] {
    return this.run.tenancy
  }

  get venueWeight(): SandboxRun['venueWeight'] {
    return this.run.venueWeight
  }

  get faultInjection(): SandboxRun['faultInjection'] {
    return this.run.faultInjection
  }

  get keys(): SandboxRun['keys'] {
    return this.run.keys
  }

  get inviteToken(): SandboxRun['inviteToken'] {
    return this.run.inviteToken
  }
}
