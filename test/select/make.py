"""Makes sklearn.json: labels, scores and probabilities, and what scikit-learn says of them. Run it in this folder: python3 make.py

`answers` is also what metrics.test.ts and calibrate.test.ts ask of a scikit-learn that is installed."""

import json
import sys
import warnings

import numpy as np
import sklearn
from sklearn import metrics as m
from sklearn.calibration import _sigmoid_calibration
from sklearn.isotonic import IsotonicRegression

def samples(seed, count):
    r = np.random.RandomState(seed)
    made = []
    for k in range(count):
        classes = 2 if k % 2 == 0 else 2 + k % 4
        rows = int(r.randint(5, 40))
        y = r.randint(0, classes, rows)
        y[:classes] = np.arange(classes)
        guess = np.where(r.rand(rows) < 0.6, y, r.randint(0, classes, rows))
        if k % 5 == 0:
            guess[:] = 0
        table = np.round(r.randn(rows, classes) + 1.5 * (y[:, None] == np.arange(classes)), k % 3)
        share = np.exp(table) / np.exp(table).sum(axis=1)[:, None]
        if k % 4 == 0:
            share = np.round(share)
            share[share.sum(axis=1) == 0, 0] = 1
        weights = None if k % 3 == 0 else np.round(r.rand(rows) * 3, 1)
        if weights is not None:
            weights[:classes] = 1
        two = classes == 2
        made.append({
            "classes": classes,
            "truth": y.tolist(),
            "predicted": guess.tolist(),
            "scores": (table[:, 1] - table[:, 0]).tolist() if two else table.ravel().tolist(),
            "probabilities": share[:, 1].tolist() if two else share.ravel().tolist(),
            **({} if weights is None else {"weights": weights.tolist()}),
        })
    return made

def answers(sample):
    classes = list(range(sample["classes"]))
    y, guess = np.array(sample["truth"]), np.array(sample["predicted"])
    w = np.array(sample["weights"]) if "weights" in sample else None
    two = len(classes) == 2
    s, p = np.array(sample["scores"]), np.array(sample["probabilities"])
    if not two:
        s, p = s.reshape(len(y), -1), p.reshape(len(y), -1)
    hot = (y[:, None] == np.array(classes)).astype(float)
    columns = [s] if two else list(s.T)
    about = [1] if two else classes
    each = m.precision_recall_fscore_support(y, guess, labels=classes, sample_weight=w, zero_division=0)
    mean = lambda kind: [float(v) for v in m.precision_recall_fscore_support(y, guess, labels=classes, average=kind, sample_weight=w, zero_division=0)[:3]]
    brier = m.brier_score_loss(y, p, sample_weight=w) if two else np.average(((p - hot) ** 2).sum(axis=1), weights=w)
    return {
        "accuracy": m.accuracy_score(y, guess, sample_weight=w),
        "balancedAccuracy": m.balanced_accuracy_score(y, guess, sample_weight=w),
        "confusion": m.confusion_matrix(y, guess, labels=classes, sample_weight=w).tolist(),
        "byClass": [[float(v) for v in values] for values in zip(*each)],
        "macro": mean("macro"),
        "weighted": mean("weighted"),
        "matthews": m.matthews_corrcoef(y, guess, sample_weight=w),
        "rocAuc": float(np.mean([m.roc_auc_score(y == k, c, sample_weight=w) for k, c in zip(about, columns)])),
        "averagePrecision": float(np.mean([m.average_precision_score(y == k, c, sample_weight=w) for k, c in zip(about, columns)])),
        "logLoss": m.log_loss(y, p, labels=classes, sample_weight=w),
        "brier": float(brier),
        "sigmoid": [[float(v) for v in _sigmoid_calibration(c, (y == k).astype(float), w)] for k, c in zip(about, columns)],
        "isotonic": [isotonic(c, (y == k).astype(float), w) for k, c in zip(about, columns)],
    }

def isotonic(scores, y, w):
    at = np.unique(np.concatenate([np.linspace(scores.min() - 1, scores.max() + 1, 9), scores]))
    map = IsotonicRegression(out_of_bounds="clip").fit(scores, y, sample_weight=w)
    return {"at": at.tolist(), "p": [float(v) for v in map.predict(at)]}

def cases(given):
    warnings.simplefilter("ignore")
    return [{"sample": sample, "answers": answers(sample)} for sample in given]

if __name__ == "__main__":
    if len(sys.argv) > 1:  # the seed of other samples
        json.dump(cases(samples(int(sys.argv[1]), 40)), sys.stdout)
    else:
        with open("sklearn.json", "w") as file:
            json.dump({"sklearn": sklearn.__version__, "cases": cases(samples(0, 16))}, file, separators=(",", ":"))
