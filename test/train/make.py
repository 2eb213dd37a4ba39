"""Makes sklearn.json: rows, labels, options, and the weights that scikit-learn trains with them. Run it in this folder: python3 make.py

`answers` is also what sklearn.test.ts asks of a scikit-learn that is installed."""

import json
import sys
import warnings

import numpy as np
import sklearn
from scipy.sparse import csr_matrix
from sklearn.linear_model import PassiveAggressiveClassifier, Perceptron

UPDATES = ["perceptron", "pa1", "pa2"]

def samples(seed, count):
    r = np.random.RandomState(seed)
    made = []
    for k in range(count):
        update = UPDATES[k % 3]
        sparse = k % 4 >= 2
        # scikit-learn's mean also counts rows of weight 0, and with PA-I it leaves rows of zeros out.
        averages = k % 5 == 3
        classes = 2 if k // 3 % 2 == 0 else 3 + k % 2
        rows, cols = int(r.randint(20, 50)), int(r.randint(3, 9))
        # Halves of small integers for every second perceptron: all its sums are exact.
        exact = update == "perceptron" and k % 2 == 0
        X = r.randint(-6, 7, (rows, cols)) / 2 if exact else np.round(r.randn(rows, cols), 3)
        if sparse:
            X[r.rand(rows, cols) < 0.6] = 0
            X[0] *= averages  # else a row that no step changes the score of
        y = np.argmax(X @ r.randn(cols, classes) + r.randn(rows, classes), axis=1)
        y[1 : classes + 1] = np.arange(classes)
        weights = None
        if k % 5 != 0:
            weights = r.randint(1 if averages else 0, 9, rows) / 4  # from 0 to 2
            weights[1 : classes + 1] = 1
        made.append({
            "update": update,
            "sparse": sparse,
            "exact": exact,
            "X": (X + 0.0).tolist(),  # no −0
            "y": y.tolist(),
            "epochs": int(r.randint(1, 8)),
            **({} if update == "perceptron" else {"C": [1, 0.01, 0.1, 10][k % 4]}),
            **({} if weights is None else {"weights": weights.tolist()}),
            **({"classWeight": {str(c): [0.5, 2, 1, 0.25][c] for c in range(classes)}} if k % 7 == 3 else {}),
            **({"average": True} if averages else {}),
        })
    for update in UPDATES:  # the rule `tol`
        X = np.round(r.randn(40, 4), 3)
        y = (X[:, 0] + 0.7 * r.randn(40) > 0).astype(int)
        made.append({"update": update, "sparse": False, "exact": False, "X": X.tolist(), "y": y.tolist(), "epochs": 200, "tol": 1e-3, "patience": 4})
    return made

def answers(sample):
    update = sample["update"]
    X, y = np.array(sample["X"]), np.array(sample["y"])
    if sample["sparse"]:
        X = csr_matrix(X)
    w = np.array(sample["weights"]) if "weights" in sample else None
    options = dict(
        fit_intercept=False,
        shuffle=False,
        max_iter=sample["epochs"],
        tol=sample.get("tol"),
        n_iter_no_change=sample.get("patience", 5),
        class_weight={int(c): v for c, v in sample["classWeight"].items()} if "classWeight" in sample else None,
    )
    if update == "perceptron":
        model = AveragedPerceptron if sample.get("average") else Perceptron
        model = model(**options).fit(X, y, sample_weight=w)
    else:
        loss = "hinge" if update == "pa1" else "squared_hinge"
        model = PassiveAggressiveClassifier(C=sample["C"] if "C" in sample else 1, loss=loss, average=sample.get("average", False), **options)
        # PassiveAggressiveClassifier.fit, which does not hand weights of rows on.
        model._fit(X, y, alpha=1.0, C=model.C, loss="hinge", learning_rate=update, sample_weight=w)
    return {"coef": model.coef_.tolist(), "epochs": int(model.n_iter_)}

class AveragedPerceptron(Perceptron):
    """Perceptron has no `average`; the class it inherits from has."""

    def __init__(self, **options):
        super().__init__(**options)
        self.average = True

def cases(given):
    warnings.simplefilter("ignore")
    return [{"sample": sample, "answers": answers(sample)} for sample in given]

if __name__ == "__main__":
    if len(sys.argv) > 1:  # the seed of other samples
        json.dump(cases(samples(int(sys.argv[1]), 40)), sys.stdout)
    else:
        with open("sklearn.json", "w") as file:
            json.dump({"sklearn": sklearn.__version__, "cases": cases(samples(0, 24))}, file, separators=(",", ":"))
