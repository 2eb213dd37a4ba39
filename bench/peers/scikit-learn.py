# The peer of bench/questions/sparse.ts: scikit-learn's own Perceptron (Cython) on the same CSR rows.
# Prints one line of JSON, {"missing": why} where scikit-learn is not to be had.
#
#   scikit-learn.py                                    says what is there
#   scikit-learn.py FOLDER COLS EPOCHS INTERCEPT CALLS
#       times CALLS fits after one to warm up, rows as they come, exactly EPOCHS passes, and as many of one pass,
#       INTERCEPT 0 or 1,
#       on values.f64, indices.i32, indptr.i32 and y.i8 in FOLDER; writes coef.f64 there, the intercept last

import json
import os
import statistics
import sys
import time


def end(**answer):
    print(json.dumps(answer))
    sys.exit(0)


try:
    import numpy as np
    import scipy
    import sklearn
    from scipy.sparse import csr_matrix
    from sklearn.linear_model import Perceptron
except ImportError as error:
    end(missing=str(error))

about = {"sklearn": sklearn.__version__, "numpy": np.__version__, "scipy": scipy.__version__}
if len(sys.argv) == 1:
    end(**about)

folder = sys.argv[1]
cols, epochs, intercept, calls = (int(word) for word in sys.argv[2:6])


def numbers(name, dtype):
    return np.fromfile(os.path.join(folder, name), dtype=dtype)


indptr = numbers("indptr.i32", np.int32)
X = csr_matrix((numbers("values.f64", np.float64), numbers("indices.i32", np.int32), indptr), shape=(len(indptr) - 1, cols))
y = numbers("y.i8", np.int8)


def fit(passes):
    """A fitted model and its milliseconds. tol=None: no early stop; eta0 is 1 and penalty None as they come."""
    model = Perceptron(max_iter=passes, tol=None, shuffle=False, fit_intercept=bool(intercept))
    started = time.perf_counter()
    model.fit(X, y)
    return model, 1000 * (time.perf_counter() - started)


model, _ = fit(epochs)
np.concatenate([model.coef_.ravel(), model.intercept_]).tofile(os.path.join(folder, "coef.f64"))
times = [fit(epochs)[1] for _ in range(calls)]
# The same with one pass only: what a fit costs beside its passes.
short = [fit(1)[1] for _ in range(calls)]
end(**about, epochs=int(model.n_iter_), medianMs=statistics.median(times), onePassMs=statistics.median(short))
