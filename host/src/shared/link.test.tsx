import { expect, test } from '@jest/globals';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import type { ComponentProps } from 'react';
import { BrowserRouter, useLocation } from 'react-router-dom';
import { Link } from './link.tsx';

function Address() {
  const { pathname, search, state } = useLocation();
  return <output>{`${pathname}${search} ${JSON.stringify(state)}`}</output>;
}

/** A link on /chatbot/index?c=1. */
function open(props: ComponentProps<typeof Link>) {
  window.history.replaceState(null, '', '/chatbot/index?c=1');
  render(
    <BrowserRouter basename="/chatbot">
      <Link {...props}>link</Link>
      <Address />
    </BrowserRouter>,
  );
  return screen.getByRole('link');
}

/** Clicks the link. Returns whether the router navigates, so that the browser must not. */
function click(link: HTMLElement, options: MouseEventInit = {}): boolean {
  let isPrevented = false;
  const last = (event: Event) => {
    isPrevented = event.defaultPrevented;
    // jsdom cannot navigate.
    event.preventDefault();
  };
  window.addEventListener('click', last, { once: true });
  fireEvent.click(link, options);
  return isPrevented;
}

test('navigates within the page', () => {
  const link = open({ to: '/history?d=2', state: 7 });
  expect(link).toHaveAttribute('href', '/chatbot/history?d=2');
  expect(click(link)).toBe(true);
  expect(screen.getByRole('status')).toHaveTextContent('/history?d=2 7');
  expect(window.location.pathname).toBe('/chatbot/history');
});

test('keeps the path of an address without one', () => {
  const link = open({ to: { search: '?c=2' } });
  expect(link).toHaveAttribute('href', '/chatbot/index?c=2');
  click(link);
  expect(screen.getByRole('status')).toHaveTextContent('/index?c=2');
});

test('adds a history entry, or replaces the current one', () => {
  const before = window.history.length;
  click(open({ to: '/history', replace: true }));
  expect(window.history.length).toBe(before);
  cleanup();
  click(open({ to: '/history' }));
  expect(window.history.length).toBe(before + 1);
});

test.each([
  ['a click that opens a new tab', { to: '/history' }, { ctrlKey: true }],
  ['another target', { to: '/history', target: '_blank' }, {}],
  ['a link that reloads the document', { to: '/history', reloadDocument: true }, {}],
  ['an absolute address', { to: 'https://example.com/a' }, {}],
  ['an address with a host', { to: '//example.com/a' }, {}],
])('leaves %s to the browser', (_, props, options) => {
  expect(click(open(props), options)).toBe(false);
  expect(screen.getByRole('status')).toHaveTextContent('/index?c=1');
});

test('an absolute address is the address of the anchor', () => {
  expect(open({ to: 'https://example.com/a' })).toHaveAttribute('href', 'https://example.com/a');
});

test('does not navigate if the click was handled', () => {
  click(open({ to: '/history', onClick: (event) => event.preventDefault() }));
  expect(screen.getByRole('status')).toHaveTextContent('/index?c=1');
});

test('passes attributes on, and none of the router', () => {
  const link = open({
    to: '/history',
    title: 'records',
    prefetch: 'intent',
    discover: 'none',
    viewTransition: true,
  });
  expect(link.getAttributeNames().sort()).toEqual(['href', 'title']);
});
