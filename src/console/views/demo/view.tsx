/** The market on a projector, with stories that play, captions and keys. */
import { useEffect, useRef } from 'preact/hooks'
import { hostClock } from '../../../clock/system-clock.ts'
import type { StoryRecord } from '../../../control-client/records.ts'
import { ICONS } from '../../parts/icons.ts'
import { useAsked } from '../../session/asking.ts'
import { controlPlane, serverState, session } from '../../session/connection.ts'
import { onFrame } from '../../session/frames.ts'
import { isGuest } from '../../session/guest.ts'
import { useCommands } from '../../shell/commands.ts'
import { useShortcut } from '../../shell/keyboard.ts'
import { language } from '../../shell/preferences.ts'
import { changeQuery, go, route } from '../../shell/route.ts'
import type { View } from '../../shell/view.ts'
import { CaptionBar } from './caption-bar.tsx'
import { Stage } from './stage.tsx'
import { begin, beginning, end, playing, restart, tell, tick } from './story-player.ts'
import { say } from './words.ts'

export const demoView: View = {
  id: 'demo',
  group: 'market',
  title: () => say('title'),
  about: () => say('about'),
  icon: ICONS.demo,
  component: Demo,
  isFullScreen: true,
}

/** How long the end of a story is shown before the next one, ms. */
const PAUSE_MS = 8_000

function Demo() {
  const stories = useAsked(() => controlPlane().story.list(), { everyMs: 60_000 })
  const list = stories.data?.stories ?? []
  const isAuto = route.value.query.auto !== undefined && !isGuest.value
  const now = playing.value
  useDemoKeys()
  useEffect(() => onFrame(tick), [])
  useNextStory(isAuto, list)
  useCommands(
    () =>
      isGuest.value
        ? []
        : list.map((story) => ({ title: story.title[language.value], run: () => begin(story) })),
    [list, language.value, isGuest.value],
  )
  const show = now
    ? (now.story.steps[Math.min(now.at, now.story.steps.length - 1)]?.show ?? 'all')
    : 'all'
  return (
    <div class="demo">
      {serverState.value === 'gone' && (
        <p class="demo-away" role="status">
          {say('away')}
        </p>
      )}
      <Stage coin={now?.story.coin ?? 'BTC'} show={show} />
      {now ? (
        <CaptionBar playing={now} onStop={stop} />
      ) : (
        <StoryMenu
          stories={list}
          flaws={stories.data?.flaws ?? []}
          isAuto={isAuto}
          onAuto={setAuto}
        />
      )}
    </div>
  )
}

/** In the address, so that a kiosk begins by itself when its browser does. */
const setAuto = (isAuto: boolean) => changeQuery({ auto: isAuto ? 1 : null })

function stop(): void {
  setAuto(false)
  void end()
}

function useDemoKeys(): void {
  const unlessGuest = (run: () => void) => () => {
    if (!isGuest.value) run()
  }
  const next = unlessGuest(() => tell({ kind: 'next' }))
  useShortcut(' ', () => say('next'), next)
  useShortcut('ArrowRight', () => say('next'), next)
  useShortcut(
    'ArrowLeft',
    () => say('back'),
    unlessGuest(() => tell({ kind: 'back' })),
  )
  useShortcut(
    'r',
    () => say('restart'),
    unlessGuest(() => void restart()),
  )
  useShortcut('Escape', () => say('stop'), unlessGuest(stop))
}

/** A kiosk plays them all day, one after another. */
function useNextStory(isAuto: boolean, list: readonly StoryRecord[]): void {
  const now = playing.value
  const last = useRef<string | null>(null)
  if (now) last.current = now.story.name
  const isOver = beginning.value === null && (now === null || now.phase === 'over')
  const isLive = serverState.value === 'live' && session.value !== null
  useEffect(() => {
    if (!isAuto || !isOver || !isLive || list.length === 0) return undefined
    const at = list.findIndex(({ name }) => name === last.current)
    const story = list[(at + 1) % list.length] as StoryRecord
    return hostClock.startTimer(now === null ? 0 : PAUSE_MS, () => void begin(story))
  }, [isAuto, isOver, isLive, list.length, now?.story.name])
}

interface StoryMenuProps {
  stories: readonly StoryRecord[]
  flaws: readonly string[]
  isAuto: boolean
  onAuto(isAuto: boolean): void
}

function StoryMenu({ stories, flaws, isAuto, onAuto }: StoryMenuProps) {
  return (
    <nav class="story-menu" aria-label={say('stories')}>
      {isGuest.value ? (
        <p class="faint">{say('guest')}</p>
      ) : (
        stories.map((story) => (
          <button key={story.name} type="button" class="story" onClick={() => begin(story)}>
            <strong>{story.title[language.value]}</strong>
            <span>{story.about?.[language.value]}</span>
          </button>
        ))
      )}
      <StoryTools isAuto={isAuto} onAuto={onAuto} />
      {flaws.length > 0 && (
        <details class="story-flaws">
          <summary>{say('flaws')}</summary>
          {flaws.map((flaw) => (
            <p key={flaw} class="mono">
              {flaw}
            </p>
          ))}
        </details>
      )}
    </nav>
  )
}

function StoryTools({ isAuto, onAuto }: Pick<StoryMenuProps, 'isAuto' | 'onAuto'>) {
  return (
    <div class="story-tools">
      {!isGuest.value && (
        <label class="auto">
          <input
            type="checkbox"
            checked={isAuto}
            onChange={({ currentTarget }) => onAuto(currentTarget.checked)}
          />
          {say('auto')}
        </label>
      )}
      <button
        type="button"
        class="bare"
        onClick={() => document.documentElement.requestFullscreen()}
      >
        {say('fullScreen')}
      </button>
      <button type="button" class="bare" onClick={() => go('market')}>
        {say('leave')}
      </button>
    </div>
  )
}
