import '../../src/theme.css';
import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { MemoryRouter } from 'react-router-dom';
import en from '../locales/en/source.json';
import zh from '../locales/zh/source.json';
import { Button } from '../src/button.tsx';
import { Calendar, type CalendarTexts } from '../src/calendar.tsx';
import { ActionDialog } from '../src/dialog.tsx';
import { SourceText } from '../src/documents/source-text.tsx';
import { Icon } from '../src/icon.tsx';
import { LabelsProvider } from '../src/labels.ts';
import type { Day } from '../src/local-day.ts';
import { Markdown } from '../src/markdown/markdown.tsx';
import { MenuButton } from '../src/menu.tsx';
import { Popover } from '../src/popover.tsx';
import { Segments } from '../src/segments.tsx';
import { fill } from '../src/texts.ts';
import { useCombobox } from '../src/use-combobox.ts';
import styles from './catalogue.module.css';
import { Charts } from './charts.tsx';
import EN from './en.json';
import ZH from './zh.json';

const PART_TEXT =
  '# Refunds\n\nRefunds arrive within three working days after `POST /refunds`.\n\n| Code | Days |\n| --- | --- |\n| A | 3 |\n| B | 5 |';
const PART = {
  start: 0,
  end: PART_TEXT.length,
  text: PART_TEXT,
  length: PART_TEXT.length,
  places: [
    { start: 0, page: 1 },
    { start: PART_TEXT.indexOf('| A'), row: 2 },
    { start: PART_TEXT.indexOf('| B'), row: 3 },
  ],
};
const QUOTE_AT = PART_TEXT.indexOf('three');
const QUOTE = { start: QUOTE_AT, end: QUOTE_AT + 'three working days'.length };

const SOURCE_TEXTS = { zh, en };

/** Every component of the design system, in both languages and themes. */
function Catalogue() {
  const [language, setLanguage] = useState<'zh' | 'en'>('zh');
  const [theme, setTheme] = useState<'system' | 'light' | 'dark'>('system');
  const texts = language === 'zh' ? ZH : EN;
  useEffect(() => {
    document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en';
    document.title = texts.title;
    if (theme === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  }, [language, theme, texts]);
  return (
    <main className={styles.catalogue} id="main" tabIndex={-1}>
      <h1>{texts.title}</h1>
      <div className={styles.row}>
        <Segments
          label={texts.language}
          choices={[
            { value: 'zh', label: '中文' },
            { value: 'en', label: 'English' },
          ]}
          value={language}
          onChange={setLanguage}
        />
        <Segments
          label={texts.theme}
          choices={[
            { value: 'system', label: texts.system },
            { value: 'light', label: texts.light },
            { value: 'dark', label: texts.dark },
          ]}
          value={theme}
          onChange={setTheme}
        />
      </div>
      <Icons texts={texts} />
      <Overlays texts={texts} />
      <ComboboxPart texts={texts} />
      <CalendarPart texts={texts} locale={language === 'zh' ? 'zh-CN' : 'en'} />
      <Charts texts={texts} />
      <section aria-label="Markdown">
        <h2>Markdown</h2>
        <Markdown
          text={texts.markdown}
          firstLevel={3}
          pictureLabel={(label) => `${texts.picture}${label}`}
          tableLabel={texts.table}
          citation={(n, key) => (n === 1 ? <sup key={key}>{n}</sup> : null)}
          copyCode={{ label: texts.copy, copy: (code) => void navigator.clipboard.writeText(code) }}
        />
      </section>
      <section aria-label={texts.passage}>
        <h2>{texts.passage}</h2>
        <SourceText
          part={PART}
          quote={QUOTE}
          t={(key, values = {}) => fill(SOURCE_TEXTS[language][key as keyof typeof zh], values, language)}
        />
      </section>
    </main>
  );
}

interface PartProps {
  texts: typeof ZH;
}

function Icons({ texts }: PartProps) {
  const names = [...document.querySelectorAll('symbol[id^="i-"]')].map(({ id }) => id.slice(2));
  return (
    <section aria-label={texts.icons}>
      <h2>{texts.icons}</h2>
      <div className={styles.row}>
        {names.map((name) => (
          <span key={name} className="tag">
            <Icon name={name} isSmall />
            {name}
          </span>
        ))}
      </div>
    </section>
  );
}

function Overlays({ texts }: PartProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [isDialogOpen, setIsDialogOpen] = useState(false);
  const closeDialog = () => setIsDialogOpen(false);
  const closePopover = () => setAnchor(null);
  return (
    <section aria-label={texts.overlays}>
      <h2>{texts.overlays}</h2>
      <div className={styles.row}>
        <Button label={texts.dialog} onClick={() => setIsDialogOpen(true)} />
        <MenuButton
          className="button"
          label={texts.menu}
          items={[
            { label: texts.link, icon: 'chart', action: { to: '/' } },
            { label: texts.open, icon: 'open', action: () => setIsDialogOpen(true) },
            { label: texts.remove, icon: 'trash', isDanger: true, action: () => undefined },
          ]}
        >
          {texts.menu}
        </MenuButton>
        <Button
          label={texts.popover}
          aria-haspopup="dialog"
          aria-expanded={anchor !== null}
          onClick={({ currentTarget }) => setAnchor(anchor ? null : currentTarget)}
        />
      </div>
      {anchor && (
        <Popover
          anchor={anchor}
          role="dialog"
          label={texts.popover}
          className="popover"
          onClose={closePopover}
        >
          <div className="dialog-body">
            <p>{texts.text}</p>
            <Button look="small" label={texts.close} data-focus-first onClick={closePopover} />
          </div>
        </Popover>
      )}
      {isDialogOpen && (
        <LabelsProvider value={texts}>
          <ActionDialog title={texts.dialog} action={texts.save} onClose={closeDialog} onSubmit={closeDialog}>
            <p>{texts.text}</p>
          </ActionDialog>
        </LabelsProvider>
      )}
    </section>
  );
}

function ComboboxPart({ texts }: PartProps) {
  const [text, setText] = useState('');
  const options = texts.people.filter((name) => name.toLowerCase().includes(text.toLowerCase()));
  const combobox = useCombobox({
    count: options.length,
    startsAt: 0,
    onChoose: (index) => setText(options[index] ?? ''),
  });
  return (
    <section aria-label={texts.combobox}>
      <h2>{texts.combobox}</h2>
      <input
        className="input"
        {...combobox.field}
        aria-label={texts.person}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          combobox.reset();
        }}
      />
      {options.length > 0 && (
        <div {...combobox.list(texts.people.join(', '))}>
          {options.map((name, index) => (
            <div key={name} {...combobox.option(index)}>
              <Icon name={index === combobox.active ? 'check' : 'user'} isSmall /> {name}
            </div>
          ))}
        </div>
      )}
    </section>
  );
}

const CALENDAR_TEXTS: CalendarTexts = {
  month: 'Month',
  year: 'Year',
  previous: 'Previous month',
  next: 'Next month',
  today: (day) => `Today, ${day}`,
  selected: (day) => `${day}, selected`,
};

function CalendarPart({ texts, locale }: PartProps & { locale: string }) {
  const [range, setRange] = useState({ from: '2026-07-06', to: '2026-07-15' });
  const pick = (day: Day) =>
    setRange((before) =>
      before.to || day < before.from ? { from: day, to: '' } : { from: before.from, to: day },
    );
  return (
    <section aria-label={texts.calendar}>
      <h2>{texts.calendar}</h2>
      <Calendar locale={locale} texts={CALENDAR_TEXTS} today="2026-07-20" range={range} onPick={pick} />
    </section>
  );
}

createRoot(document.getElementById('root')!).render(
  <MemoryRouter>
    <Catalogue />
  </MemoryRouter>,
);
