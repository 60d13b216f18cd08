import { createContext, type ReactNode, useContext, useMemo } from 'react';
import type { BehaviorSubject } from 'rxjs';
import { createDateFormats } from './format-date.ts';
import { type Labels, LabelsProvider, noLabels } from './labels.ts';
import type { AnyTexts, Texts, Translate } from './texts.ts';
import { useStream } from './use-stream.ts';

/** The part of the host's `services` that is used here. */
interface Services<L extends string> {
  i18n: {
    language$: BehaviorSubject<L>;
    translator<M extends object>(texts: AnyTexts<M>, language?: L): Translate<M>;
    locale(): string;
  };
}

function createScreen<L extends string>(services: Services<L>, language: L) {
  const { i18n } = services;
  const locale = i18n.locale();
  const translators = new Map<object, unknown>();
  return {
    services: services as unknown,
    /** The same translator for all components. */
    translatorOf<M extends object>(texts: AnyTexts<M>): Translate<M> {
      const translator = (translators.get(texts) as Translate<M>) ?? i18n.translator(texts, language);
      translators.set(texts, translator);
      return translator;
    },
    formats: {
      language: language as string,
      /** For Intl, such as 'zh-CN'. */
      locale,
      dates: createDateFormats(language),
      numbers: new Intl.NumberFormat(locale),
    },
  };
}

const ScreenContext = createContext<ReturnType<typeof createScreen> | null>(null);
const ControlsContext = createContext<ReactNode>(null);

interface ScreenServicesProps<L extends string> {
  services: Services<L>;
  /** The host's buttons, for `ScreenHead`. */
  controls?: ReactNode;
  /** The texts that contain the labels of dialogs and problems. */
  labels?: Texts<Record<keyof Labels, unknown>>;
  children: ReactNode;
}

/** Wraps a screen. Its components get the services, the texts and the formats of the current language from here. */
export function ScreenServices<L extends string>(props: ScreenServicesProps<L>) {
  const { services, controls, labels: texts, children } = props;
  const language = useStream(services.i18n.language$);
  const screen = useMemo(() => createScreen(services, language), [services, language]);
  const labels = useMemo(() => {
    if (!texts) return noLabels;
    const t = screen.translatorOf(texts);
    return { close: t('close'), cancel: t('cancel'), retry: t('retry') };
  }, [screen, texts]);
  return (
    <ScreenContext value={screen}>
      <LabelsProvider value={labels}>
        <ControlsContext value={controls}>{children}</ControlsContext>
      </LabelsProvider>
    </ScreenContext>
  );
}

function useScreen() {
  const screen = useContext(ScreenContext);
  if (!screen) throw new Error('must be used within ScreenServices');
  return screen;
}

/** The services of the host; `S` is `HostServices` of its contract. */
export function useScreenServices<S>(): S {
  return useScreen().services as S;
}

/** The translator of `texts` for the current language. */
export function useTexts<M extends object>(texts: AnyTexts<M>): Translate<M> {
  return useScreen().translatorOf(texts);
}

/** The current language, and its formats of dates and numbers. */
export function useFormats() {
  return useScreen().formats;
}

interface TimeProps {
  /** ISO 8601. */
  at: string;
  as?: Exclude<keyof ReturnType<typeof useFormats>['dates'], 'month' | 'weekday'>;
}

/** A time, by default with its day. */
export function Time({ at, as = 'moment' }: TimeProps) {
  const { dates } = useFormats();
  return (
    <time className="num" dateTime={at}>
      {dates[as](new Date(at))}
    </time>
  );
}

interface ScreenHeadProps {
  title: string;
  /** Cuts off a title that is too long, for titles written by visitors. */
  isClipped?: boolean;
  /** A link back. */
  before?: ReactNode;
  /** Shown beside the title. */
  aside?: ReactNode;
  /** Buttons shown before those of the host. */
  children?: ReactNode;
}

/** The header of a screen. */
export function ScreenHead({ title, isClipped = false, before, aside, children }: ScreenHeadProps) {
  const controls = useContext(ControlsContext);
  return (
    <header className="head">
      {before}
      <h1 className={isClipped ? 'clip' : undefined} dir="auto">
        {title}
      </h1>
      {aside}
      <span className="space" />
      {children}
      <div className="cluster">{controls}</div>
    </header>
  );
}
