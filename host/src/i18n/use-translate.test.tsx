import { expect, test } from '@jest/globals';
import { act, render, screen } from '@testing-library/react';
import { useTranslate } from 'host/ui/use-translate.ts';
import { memo } from 'react';
import type { I18n, Translate } from '../contract.ts';
import { createStandInServices } from '../testing/stand-in-services.ts';

const messages = { zh: { hello: '你好' }, en: { hello: 'Hello' } };

interface GreetingProps {
  t: Translate<typeof messages.zh>;
  onRender(text: string): void;
}

const Greeting = memo(function Greeting({ t, onRender }: GreetingProps) {
  onRender(t('hello'));
  return <p>{t('hello')}</p>;
});

function Screen({ i18n, onRender }: { i18n: I18n; onRender(text: string): void }) {
  return <Greeting t={useTranslate(i18n, messages)} onRender={onRender} />;
}

test('renders a memoised component again when the language changes, and only then', () => {
  const { i18n } = createStandInServices().services;
  const rendered: string[] = [];
  const onRender = (text: string) => void rendered.push(text);

  const { rerender } = render(<Screen i18n={i18n} onRender={onRender} />);
  rerender(<Screen i18n={i18n} onRender={onRender} />);
  expect(rendered).toEqual(['你好']);
  act(() => i18n.language$.next('en'));

  expect(rendered).toEqual(['你好', 'Hello']);
  expect(screen.getByText('Hello')).toBeVisible();
});
