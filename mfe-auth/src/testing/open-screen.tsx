import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Screen } from 'host/contract';
import { type Answers, createStandInServices } from 'host/stand-ins';
import { MemoryRouter } from 'react-router';

/** A screen in Chinese, opened by the signed-in account `username`. `kept` is the content of the browser's storage. */
export function openScreen(
  Shown: Screen,
  answers: Answers,
  { username = 'anna', kept = new Map<string, string>() } = {},
) {
  const standIns = createStandInServices({ token: 'token', username, kept, answers });
  const view = render(
    <MemoryRouter>
      <Shown services={standIns.services} language="zh" controls={null} />
    </MemoryRouter>,
  );
  return { ...standIns, ...view, user: userEvent.setup() };
}
