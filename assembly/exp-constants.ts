// The constants of exp (docs/adr/0006). Only plain numbers, as in layout.ts: AssemblyScript and TypeScript
// import the same file. Each has a fraction or an exponent, because AssemblyScript would read it as an i32
// otherwise.

export const LIMIT = 7.5e2; //           beyond ±LIMIT exp is Infinity or 0, and k stays within ±1082

// ---- x = k·ln 2 + r ----------------------------------------------------------------------------
// biome-ignore lint/suspicious/noApproximativeNumericConstant: AssemblyScript folds a literal, not Math.LOG2E
export const INV_LN2 = 1.4426950408889634;
export const SHIFT = 6.75539944105779e15; // 1.5·2⁵² + 2046: adding it rounds to the integer k (ties to even)
//                                           and leaves k + 2046, two biases of an exponent, in the lowest bits
export const LN2_HI = 0.6931471805598903; // ln 2 cut after 42 bits: k·LN2_HI is exact for |k| < 2048
export const LN2_LO = 5.497923018708371e-14; // ln 2 − LN2_HI, to 2⁻¹⁰²

// ---- eʳ = 1 + r + r²/2 + r³·(C3 + C4·r + … + C12·r⁹) ---------------------------------------------
// Minimax for |r| ≤ ln 2 / 2, error below 2⁻⁶³·⁹; each rounded to a double before the next were fitted.
export const C3 = 0.16666666666666682;
export const C4 = 0.0416666666666667;
export const C5 = 0.008333333333317575;
export const C6 = 0.0013888888888865442;
export const C7 = 0.0001984126989537833;
export const C8 = 2.4801587364683243e-5;
export const C9 = 2.755723565553533e-6;
export const C10 = 2.755723894915506e-7;
export const C11 = 2.5111810151948565e-8;
export const C12 = 2.0925614840677476e-9;
