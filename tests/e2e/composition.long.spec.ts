import { checkInBothThemes } from './check-screen.ts';
import { type CheckState, testCanary, testSteps, testSwitch } from './composition-journeys.ts';

const SIZES = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];

const checkSizes: CheckState = async (page, state) => {
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await checkInBothThemes(page, `${state} at ${size.width}`);
  }
  await page.setViewportSize(SIZES[0]!);
};

testSwitch(checkSizes);
testCanary(checkSizes);
testSteps(checkSizes);
